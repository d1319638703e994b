// Where the leads of a live picture stand: rows and columns on a field of pixels of the display, in true
// millimetres (screens, 2.1). All lengths are in pixels of the display, not in those of style sheets.

export interface EcgScale {
  readonly pxPerMm: number;
  readonly speedMmPerS: number;
  readonly gainMmPerMv: number;
}

/** One lead. */
export interface TraceCell {
  /** Its place among the leads that are shown. */
  readonly lead: number;
  readonly top: number;
  readonly height: number;
  /** The height at which 0 mV lies. */
  readonly baselineY: number;
}

/** Leads one above the other: they share their columns of pixels. */
export interface TraceStrip {
  /** Where the first column begins; the calibration pulses stand before it. */
  readonly left: number;
  readonly cells: readonly TraceCell[];
}

export interface EcgLayout {
  readonly widthPx: number;
  /** Without the line of words at the bottom. */
  readonly heightPx: number;
  /** Columns of a strip. */
  readonly columns: number;
  readonly strips: readonly TraceStrip[];
  readonly scale: EcgScale;
}

export const LAYOUTS = ['6x2', '12x1', '3x4', 'single'] as const;
export type LayoutKind = (typeof LAYOUTS)[number];

const STRIPS_OF: { readonly [K in LayoutKind]: number } = { '12x1': 1, '6x2': 2, '3x4': 4, single: 1 };
/** Few leads stand one above the other whatever is chosen. */
const FEW_LEADS = 3;
const PULSE_SECONDS = 0.2;
const PULSE_MARGIN_MM = 2.4;
/** The line lies below the middle: most of what matters points up. */
const BASELINE_SHARE = 0.64;

export const pulseWidthMm = (speedMmPerS: number): number => PULSE_SECONDS * speedMmPerS;
const beforeTraceMm = (speedMmPerS: number): number => pulseWidthMm(speedMmPerS) + 2 * PULSE_MARGIN_MM;

export interface EcgField {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly leadCount: number;
  readonly kind: LayoutKind;
  /** The one lead of `single`. */
  readonly lead: number;
  readonly scale: EcgScale;
}

export function layoutEcg({ widthPx, heightPx, leadCount, kind, lead, scale }: EcgField): EcgLayout {
  const leads =
    kind === 'single'
      ? [Math.min(lead, Math.max(0, leadCount - 1))]
      : Array.from({ length: leadCount }, (_, i) => i);
  const stripCount = leads.length <= FEW_LEADS ? 1 : STRIPS_OF[kind];
  const rows = Math.max(1, Math.ceil(leads.length / stripCount));
  const stripPx = widthPx / stripCount;
  const before = Math.ceil(beforeTraceMm(scale.speedMmPerS) * scale.pxPerMm);
  const rowPx = heightPx / rows;
  const strips = Array.from(
    { length: stripCount },
    (_, strip): TraceStrip => ({
      left: Math.round(strip * stripPx) + before,
      cells: leads.slice(strip * rows, (strip + 1) * rows).map((each, row) => ({
        lead: each,
        top: Math.round(row * rowPx),
        height: Math.round(rowPx),
        baselineY: (row + BASELINE_SHARE) * rowPx,
      })),
    }),
  );
  return {
    widthPx,
    heightPx,
    columns: Math.max(1, Math.floor(stripPx) - before - Math.ceil(scale.pxPerMm)),
    strips,
    scale,
  };
}
