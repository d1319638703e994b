// Paper geometry in true millimetres. Everything on a report is placed in mm; one conversion, here, makes points of it.
// The same content stands on A4 and on Letter, never scaled (report design, page boxes).

const POINTS_PER_MM = 72 / 25.4;

export const pt = (mm: number): number => mm * POINTS_PER_MM;

const SHEETS = {
  A4: { shortMm: 210, longMm: 297 },
  Letter: { shortMm: 215.9, longMm: 279.4 },
} as const;

export type Paper = keyof typeof SHEETS;
export type Orientation = 'landscape' | 'portrait';

export interface PageSize {
  readonly widthMm: number;
  readonly heightMm: number;
}

export const CONTENT: { readonly [O in Orientation]: PageSize } = {
  landscape: { widthMm: 260, heightMm: 190 },
  portrait: { widthMm: 190, heightMm: 262 },
};

export function sheetSize(paper: Paper, orientation: Orientation): PageSize {
  const { shortMm, longMm } = SHEETS[paper];
  return orientation === 'landscape'
    ? { widthMm: longMm, heightMm: shortMm }
    : { widthMm: shortMm, heightMm: longMm };
}
