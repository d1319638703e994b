// A severity as shape and colour, for paper: read in grey, all kinds stay apart (report design).

import type { Severity } from '../../shared/severity.ts';
import { pt } from './paper-size.ts';
import { COLOURS, type ReportPdf } from './report-pdf.ts';

const FILLS: Readonly<Record<Severity, string>> = {
  NONE: '#ffffff',
  LOW: '#0b5394',
  MODERATE: '#fbf0c4',
  IMPORTANT: '#f5a763',
  CRITICAL: '#8e1230',
};
const EDGES: Readonly<Record<Severity, string>> = {
  NONE: COLOURS.second,
  LOW: '#0b5394',
  MODERATE: '#6b5200',
  IMPORTANT: '#3a1600',
  CRITICAL: '#8e1230',
};

/** Behind a word: the shape of the lowest kind is as dark as its word. */
export const severityFill = (severity: Severity): string =>
  severity === 'LOW' ? '#e1edf9' : FILLS[severity];
export const severityInk = (severity: Severity): string =>
  severity === 'CRITICAL' ? '#ffffff' : severity === 'LOW' ? '#0b5394' : EDGES[severity];

/** @param severity undefined: not assessed, a dash */
export function drawSeverityShape(
  report: ReportPdf,
  severity: Severity | undefined,
  xMm: number,
  yMm: number,
  sizeMm: number,
): void {
  const { pdf } = report;
  const [x, y, r] = [report.x(xMm + sizeMm / 2), report.y(yMm + sizeMm / 2), pt(sizeMm / 2)];
  if (severity === undefined) {
    report.line([xMm, yMm + sizeMm / 2], [xMm + sizeMm, yMm + sizeMm / 2], 0.5);
    return;
  }
  pdf.lineWidth(pt(0.3)).lineJoin('miter').fillColor(FILLS[severity]).strokeColor(EDGES[severity]);
  const polygon = (points: readonly (readonly [number, number])[]): void => {
    pdf.polygon(...points.map(([px, py]) => [x + px * r, y + py * r] as [number, number])).fillAndStroke();
  };
  switch (severity) {
    case 'NONE':
      pdf.circle(x, y, 0.75 * r).stroke();
      return;
    case 'LOW':
      pdf.circle(x, y, 0.8 * r).fill();
      return;
    case 'MODERATE':
      polygon([
        [0, -0.95],
        [1, 0.8],
        [-1, 0.8],
      ]);
      return;
    case 'IMPORTANT':
      polygon([
        [0, -1],
        [1, 0],
        [0, 1],
        [-1, 0],
      ]);
      return;
    case 'CRITICAL': {
      polygon([
        [-0.4, -1],
        [0.4, -1],
        [1, -0.4],
        [1, 0.4],
        [0.4, 1],
        [-0.4, 1],
        [-1, 0.4],
        [-1, -0.4],
      ]);
      pdf
        .rect(x - 0.12 * r, y - 0.6 * r, 0.24 * r, 0.75 * r)
        .rect(x - 0.12 * r, y + 0.35 * r, 0.24 * r, 0.25 * r);
      pdf.fillColor('#ffffff').fill();
    }
  }
}
