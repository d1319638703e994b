// EDF states a scale by four numbers of eight characters each. This finds four that give it back exactly, or
// as nearly as can be. Formats reference, section 1.6.

export interface EdfLimits {
  readonly digitalMinimum: number;
  readonly digitalMaximum: number;
  readonly physicalMinimum: string;
  readonly physicalMaximum: string;
  /** How far the scale that is read back is off, relative; and the offset, relative to the range. */
  readonly error: number;
}

const FIELD_CHARACTERS = 8;
const MAX_DECIMALS = 7;
/** Below this, the number read back is the same for every purpose. */
const EXACT = 1e-13;
const MAX_TRIES = 70_000;

/**
 * The decimal number of so many characters that comes nearest, without exponent; undefined where the integer
 * part is too long.
 */
function shortDecimal(value: number, characters: number): string | undefined {
  for (let decimals = MAX_DECIMALS; decimals >= 0; decimals--) {
    const text = value.toFixed(decimals);
    const short = decimals > 0 ? text.replace(/\.?0+$/, '') : text;
    if (short.length <= characters) return short === '-0' ? '0' : short;
  }
  return undefined;
}

function errorOf(limits: Omit<EdfLimits, 'error'>, scale: number, offset: number): number {
  const [pmin, pmax] = [Number(limits.physicalMinimum), Number(limits.physicalMaximum)];
  const span = limits.digitalMaximum - limits.digitalMinimum;
  const found = (pmax - pmin) / span;
  if (!Number.isFinite(found) || found === 0) return Number.POSITIVE_INFINITY;
  const foundOffset = pmin - found * limits.digitalMinimum;
  return Math.max(Math.abs(found / scale - 1), Math.abs(foundOffset - offset) / Math.abs(scale * span));
}

/** How far off a positive number is, relative, when it is written in so many characters. */
function roundingError(value: number, characters: number): number {
  const decimals = Math.min(MAX_DECIMALS, characters - 2 - Math.floor(Math.log10(Math.max(1, value))));
  const step = 10 ** Math.max(0, decimals);
  return decimals < -1 ? Number.POSITIVE_INFINITY : Math.abs(Math.round(value * step) / step / value - 1);
}

/** Limits that lie symmetrically about the digital value of zero: only one number has to fit then. */
function symmetric(
  scale: number,
  offset: number,
  minimum: number,
  maximum: number,
  limit: number,
): EdfLimits | undefined {
  const zero = Math.round(-offset / scale);
  if (!Number.isSafeInteger(zero)) return undefined;
  const most = Math.min(limit - 1 - zero, zero + limit);
  const least = Math.max(1, maximum - zero, zero - minimum, most - MAX_TRIES);
  let best = { reach: 0, error: Number.POSITIVE_INFINITY };
  for (let reach = most; reach >= least && best.error > EXACT; reach--) {
    const error = roundingError(reach * Math.abs(scale), FIELD_CHARACTERS - 1);
    if (error < best.error) best = { reach, error };
  }
  const text = shortDecimal(best.reach * Math.abs(scale), FIELD_CHARACTERS - 1);
  if (best.reach === 0 || text === undefined) return undefined;
  const [physicalMinimum, physicalMaximum] = scale > 0 ? [`-${text}`, text] : [text, `-${text}`];
  const limits = {
    digitalMinimum: zero - best.reach,
    digitalMaximum: zero + best.reach,
    physicalMinimum,
    physicalMaximum,
  };
  return { ...limits, error: errorOf(limits, scale, offset) };
}

function wholeRange(scale: number, offset: number, limit: number): EdfLimits | undefined {
  const physicalMinimum = shortDecimal(scale * -limit + offset, FIELD_CHARACTERS);
  const physicalMaximum = shortDecimal(scale * (limit - 1) + offset, FIELD_CHARACTERS);
  if (physicalMinimum === undefined || physicalMaximum === undefined) return undefined;
  const limits = { digitalMinimum: -limit, digitalMaximum: limit - 1, physicalMinimum, physicalMaximum };
  return { ...limits, error: errorOf(limits, scale, offset) };
}

/**
 * @param minimum,maximum of the digital values, which must lie within the digital limits: strict readers
 * clamp them
 * @returns undefined where no numbers of eight characters come near
 */
export function fitLimits(
  scale: number,
  offset: number,
  minimum: number,
  maximum: number,
  bits: 16 | 24,
): EdfLimits | undefined {
  const limit = 2 ** (bits - 1);
  const found = [wholeRange(scale, offset, limit), symmetric(scale, offset, minimum, maximum, limit)].filter(
    (limits) => limits !== undefined,
  );
  return found.sort((a, b) => a.error - b.error)[0];
}
