// Where the leads of a recorded page stand: as on paper, one calibration pulse a row, and leads in columns that follow
// each other in time. All lengths are in pixels of the display.

export const REVIEW_KINDS = ['3x4', '3x4r3', '6x2', '12x1', 'cabrera', 'single', 'xyz'] as const;
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/** A piece of one lead in a row. */
export interface ReviewCell {
  /** Its place among the leads of the recording. */
  readonly lead: number;
  readonly left: number;
  /** Where the pulse ends that stands before the first cell of a row. */
  readonly isFirst: boolean;
  /** Drawn upside down: −aVR. */
  readonly isInverted: boolean;
  readonly baselineY: number;
  readonly top: number;
  readonly fromSeconds: number;
  readonly seconds: number;
}

/** The width of a page at every speed: ten seconds at 25 mm/s. */
export const PAGE_MM = 250;
export const MARKS_PX = 24;

const COLUMNS: { readonly [K in ReviewKind]: number } = {
  '3x4': 4,
  '3x4r3': 4,
  '6x2': 2,
  '12x1': 1,
  cabrera: 2,
  single: 1,
  xyz: 1,
};
/** Below the others, along the whole page. */
const RHYTHM_LEADS: { readonly [K in ReviewKind]: readonly string[] } = {
  '3x4': ['II'],
  '3x4r3': ['II', 'V1', 'V5'],
  '6x2': ['II'],
  '12x1': [],
  cabrera: ['II'],
  single: [],
  xyz: [],
};
/** The limb leads as they lie around the heart, from the left arm to the right leg: each 30° on. */
const CABRERA = ['aVL', 'I', 'aVR', 'II', 'aVF', 'III'];
const INVERTED = 'aVR';
/** Few leads stand one above the other whatever is chosen. */
const FEW_LEADS = 3;
/** The line lies below the middle: most of what matters points up. */
const BASELINE_SHARE = 0.6;

export interface ReviewField {
  readonly heightPx: number;
  readonly pxPerMm: number;
  readonly ratio: number;
  readonly speedMmPerS: number;
  /** The width of the signal, on paper. */
  readonly pageMm: number;
  readonly kind: ReviewKind;
  readonly leadNames: readonly string[];
  /** The lead that is shown alone, by its place in the list. */
  readonly onlyLead: number;
}

const LARGE_SQUARE_MM = 5;
const PULSE_SECONDS = 0.2;
const BESIDE_PULSE_MM = 3;

/** What stands before the leads of a row: the pulse, and a little on both sides. */
export const pulseAreaMm = (speedMmPerS: number): number => PULSE_SECONDS * speedMmPerS + BESIDE_PULSE_MM;
/** Where a wide screen has room for more than a page, more of a long recording is shown, in whole large squares. */
export function pageMmFor(roomMm: number, recordedMm: number): number {
  const room = Math.floor((Math.min(roomMm, recordedMm) + 1e-6) / LARGE_SQUARE_MM) * LARGE_SQUARE_MM;
  return Math.max(PAGE_MM, room);
}

export const pageSeconds = (speedMmPerS: number, pageMm = PAGE_MM): number => pageMm / speedMmPerS;

/** Places of the leads in the order of the layout. */
function orderOf({ kind, leadNames, onlyLead }: ReviewField): readonly number[] {
  const all = leadNames.map((_, lead) => lead);
  if (kind === 'single') return all.slice(onlyLead, onlyLead + 1);
  const limb = CABRERA.map((name) => leadNames.indexOf(name));
  // Without all six there is no circle.
  if (kind !== 'cabrera' || limb.includes(-1)) return all;
  return [...limb, ...all.filter((lead) => !limb.includes(lead))];
}

/** Leads of each row, from left to right. */
function rowsOf(field: ReviewField): readonly (readonly number[])[] {
  const { kind, leadNames } = field;
  const order = orderOf(field);
  const columns = order.length <= FEW_LEADS ? 1 : COLUMNS[kind];
  const count = Math.ceil(order.length / columns);
  const rows = Array.from({ length: count }, (_, row) =>
    Array.from({ length: columns }, (__, column) => order[column * count + row]).filter(
      (lead) => lead !== undefined,
    ),
  );
  const rhythm = RHYTHM_LEADS[kind].map((name) => leadNames.indexOf(name)).filter((lead) => lead >= 0);
  return columns > 1 ? [...rows, ...rhythm.map((lead) => [lead])] : rows;
}

/** The cell at a point of the canvas; undefined in the margin before the first and in an empty one. */
export function cellAt(cells: readonly ReviewCell[], x: number, y: number): ReviewCell | undefined {
  const rowTop = cells.reduce((top, cell) => (cell.top <= y ? Math.max(top, cell.top) : top), 0);
  return cells.filter(({ top, left }) => top === rowTop && left <= x).at(-1);
}

export function layoutReview(field: ReviewField): ReviewCell[] {
  const { heightPx, pxPerMm, ratio, speedMmPerS, pageMm } = field;
  const rows = rowsOf(field);
  const rowPx = (heightPx - MARKS_PX * ratio) / Math.max(1, rows.length);
  return rows.flatMap((leads, row) => {
    const seconds = pageSeconds(speedMmPerS, pageMm) / Math.max(1, leads.length);
    return leads.map((lead, column) => ({
      lead,
      left: (pulseAreaMm(speedMmPerS) + column * seconds * speedMmPerS) * pxPerMm,
      isFirst: column === 0,
      isInverted: field.kind === 'cabrera' && leads.length > 1 && field.leadNames[lead] === INVERTED,
      baselineY: (row + BASELINE_SHARE) * rowPx,
      top: row * rowPx,
      fromSeconds: column * seconds,
      seconds,
    }));
  });
}
