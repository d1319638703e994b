// Where the leads of a recorded page stand: as on paper, one calibration pulse a row, and leads in columns that follow
// each other in time. All lengths are in pixels of the display.

export const REVIEW_KINDS = ['3x4', '6x2', '12x1'] as const;
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/** A piece of one lead in a row. */
export interface ReviewCell {
  /** Its place among the leads of the recording. */
  readonly lead: number;
  readonly left: number;
  /** Where the pulse ends that stands before the first cell of a row. */
  readonly isFirst: boolean;
  readonly baselineY: number;
  readonly top: number;
  readonly fromSeconds: number;
  readonly seconds: number;
}

/** Of a page at every speed: ten seconds at 25 mm/s. */
export const PAGE_MM = 250;
export const MARKS_PX = 24;

const COLUMNS: { readonly [K in ReviewKind]: number } = { '3x4': 4, '6x2': 2, '12x1': 1 };
/** Few leads stand one above the other whatever is chosen. */
const FEW_LEADS = 3;
/** The line lies below the middle: most of what matters points up. */
const BASELINE_SHARE = 0.6;

export interface ReviewField {
  readonly heightPx: number;
  readonly pxPerMm: number;
  readonly ratio: number;
  readonly speedMmPerS: number;
  readonly kind: ReviewKind;
  readonly leadCount: number;
  /** The lead that runs along the whole page below the others; none where all do. */
  readonly rhythmLead: number;
}

const PULSE_SECONDS = 0.2;
const BESIDE_PULSE_MM = 3;

/** What stands before the leads of a row: the pulse, and a little on both sides. */
export const pulseAreaMm = (speedMmPerS: number): number => PULSE_SECONDS * speedMmPerS + BESIDE_PULSE_MM;
export const pageSeconds = (speedMmPerS: number): number => PAGE_MM / speedMmPerS;

/** Leads of each row, from left to right. */
function rowsOf({ kind, leadCount, rhythmLead }: ReviewField): readonly (readonly number[])[] {
  const columns = leadCount <= FEW_LEADS ? 1 : COLUMNS[kind];
  const count = Math.ceil(leadCount / columns);
  const rows = Array.from({ length: count }, (_, row) =>
    Array.from({ length: columns }, (__, column) => column * count + row).filter((lead) => lead < leadCount),
  );
  return columns > 1 && rhythmLead >= 0 ? [...rows, [rhythmLead]] : rows;
}

export function layoutReview(field: ReviewField): ReviewCell[] {
  const { heightPx, pxPerMm, ratio, speedMmPerS } = field;
  const rows = rowsOf(field);
  const rowPx = (heightPx - MARKS_PX * ratio) / Math.max(1, rows.length);
  return rows.flatMap((leads, row) => {
    const seconds = pageSeconds(speedMmPerS) / Math.max(1, leads.length);
    return leads.map((lead, column) => ({
      lead,
      left: (pulseAreaMm(speedMmPerS) + column * seconds * speedMmPerS) * pxPerMm,
      isFirst: column === 0,
      baselineY: (row + BASELINE_SHARE) * rowPx,
      top: row * rowPx,
      fromSeconds: column * seconds,
      seconds,
    }));
  });
}
