// Paper geometry in true millimetres. Everything on a report is placed in mm; one conversion, here, makes
// points of it. The layout box of 262 × 190 mm fits A4 and Letter in landscape alike (screens, section 2.6).

export const POINTS_PER_MM = 72 / 25.4;

export const pt = (mm: number): number => mm * POINTS_PER_MM;

export const PAPERS = {
  A4: { widthMm: 297, heightMm: 210 },
  Letter: { widthMm: 279.4, heightMm: 215.9 },
} as const;

export type Paper = keyof typeof PAPERS;

export const BOX = { widthMm: 262, heightMm: 190 } as const;

/** Upper left corner of the layout box, in mm from the paper's corner. */
export const boxOrigin = (paper: Paper): { xMm: number; yMm: number } => ({
  xMm: (PAPERS[paper].widthMm - BOX.widthMm) / 2,
  yMm: (PAPERS[paper].heightMm - BOX.heightMm) / 2,
});
