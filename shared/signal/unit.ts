// Units of voltage as files spell them (formats reference, section 0: "Units to mV").

const MV_PER_UNIT: Readonly<Record<string, number>> = { nV: 1e-6, uV: 1e-3, mV: 1, V: 1e3, kV: 1e6 };

/** The prefixes and the word itself as people write them out: `microvolt`, `uVolt`, `milliV`. */
const WORDS: readonly (readonly [RegExp, number])[] = [
  [/^(nano|n)(v|volts?)$/i, 1e-6],
  [/^(micro|mcro|mc|u)(v|volts?)$/i, 1e-3],
  [/^(milli|m)(v|volts?)$/i, 1],
  [/^volts?$/i, 1e3],
];

/** Strips NULs and blanks and writes every form of micro as `u`. */
export function normaliseUnit(text: string): string {
  return text
    .replaceAll('\0', '')
    .trim()
    .replace(/^(Âµ|Î¼|µ|μ|æ)/, 'u');
}

/**
 * Millivolts per unit, or undefined for anything that is no voltage. Case decides first: `mV` is not `MV`.
 */
export function mvPerUnit(text: string): number | undefined {
  const unit = normaliseUnit(text);
  if (Object.hasOwn(MV_PER_UNIT, unit)) return MV_PER_UNIT[unit];
  const found = Object.keys(MV_PER_UNIT).find((known) => known.toLowerCase() === unit.toLowerCase());
  return found === undefined ? WORDS.find(([word]) => word.test(unit))?.[1] : MV_PER_UNIT[found];
}

/** Millivolts per step of any converter that ever recorded an ECG lie in here, with room on both sides. */
const MIN_STEP_MV = 1e-9;
const MAX_STEP_MV = 10;

/** False for a scale that a damaged or mistyped header states: its amplitudes must not be believed. */
export const isPlausibleStep = (mvPerStep: number): boolean =>
  Math.abs(mvPerStep) >= MIN_STEP_MV && Math.abs(mvPerStep) <= MAX_STEP_MV;
