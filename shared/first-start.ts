// The steps of the first start and which of them somebody has answered or put off, as one setting holds it.

export const FIRST_STEPS = ['language', 'clinic', 'storage', 'screen', 'electrodes', 'device'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

export interface FirstStart {
  /** Asks to be shown. */
  readonly isOpen: boolean;
  readonly done: readonly FirstStep[];
  /** Put off: named at the end, and asked again by whoever comes back. */
  readonly later: readonly FirstStep[];
}

export const FIRST_START_OPEN = 'open';
const STEP = `(?:${FIRST_STEPS.join('|')})`;
/** `open language clinic later:storage`, or `done …`. */
export const FIRST_START_PATTERN = new RegExp(`^(?:(?:open|done)(?: (?:later:)?${STEP})*)?$`);
const LATER = 'later:';

export function readFirstStart(text: string): FirstStart {
  const [state, ...words] = text.split(' ');
  const steps = (isLater: boolean): FirstStep[] =>
    FIRST_STEPS.filter((step) => words.includes(isLater ? `${LATER}${step}` : step));
  return { isOpen: state === FIRST_START_OPEN, done: steps(false), later: steps(true) };
}

export function writeFirstStart({ isOpen, done, later }: FirstStart): string {
  return [isOpen ? FIRST_START_OPEN : 'done', ...done, ...later.map((step) => `${LATER}${step}`)].join(' ');
}
