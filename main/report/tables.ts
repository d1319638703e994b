// The tables of a first page: measurements, and what each lead shows.

import { DECIMAL_SIGNS } from '../../shared/language.ts';
import { leadName, STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { type MeasuredRow, measuredRow } from './measured-values.ts';
import type { Drawing } from './report-input.ts';
import { COLOURS, type TextStyle } from './report-pdf.ts';
import { ageAtRecording } from './report-text.ts';
import { MEASURED } from './report-words.ts';

const HEAD: TextStyle = { size: 7, colour: COLOURS.second, role: 'TH' };
const NAME: TextStyle = { size: 8, role: 'TH' };
const VALUE: TextStyle = { size: 9.5, weight: 'semiBold', role: 'TD' };
const UNIT: TextStyle = { size: 7.5, role: 'Span' };
const NOTE: TextStyle = { size: 7.5, colour: COLOURS.second, role: 'TD' };
const HEAD_MM = 3.4;
const ROW_MM = 3.95;

/** Columns: name, value, note. */
interface Columns {
  readonly xMm: number;
  readonly nameMm: number;
  readonly valueMm: number;
  readonly noteMm: number;
}

const DRAWN_UNIT = 6;

/** A triangle before a value that lies outside of what is usual. */
function drawOutside({ report }: Drawing, isAbove: boolean, xMm: number, yMm: number): void {
  const [tip, foot] = isAbove ? [yMm + 0.9, yMm + 3] : [yMm + 3, yMm + 0.9];
  report.pdf
    .polygon(
      [report.x(xMm + 1), report.y(tip)],
      [report.x(xMm + 2), report.y(foot)],
      [report.x(xMm), report.y(foot)],
    )
    .fillColor(COLOURS.ink)
    .fill();
}

const DASH_MM = 5;

/** A dash, and why. */
function drawMissing({ report }: Drawing, row: MeasuredRow, columns: Columns, y: number): void {
  const left = columns.xMm + columns.nameMm;
  report.text('–', left + 1, y - 0.1, VALUE);
  report.text(row.note, left + DASH_MM, y + 0.45, {
    ...NOTE,
    align: 'right',
    widthMm: columns.valueMm + columns.noteMm - DASH_MM,
  });
}

function drawValue(drawing: Drawing, row: MeasuredRow, value: string, columns: Columns, y: number): void {
  const { report } = drawing;
  const { xMm, nameMm, valueMm, noteMm } = columns;
  const unit = row.unit ?? '';
  const room = valueMm - (unit === '' ? 0 : DRAWN_UNIT);
  // Three axes are longer than any other value.
  const [extra, size] = row.name === 'axes' ? [5, 8.5] : [0, VALUE.size];
  const style = { ...VALUE, size };
  report.text(value, xMm + nameMm - extra, y + (VALUE.size - size) / 8 - 0.1, {
    ...style,
    align: 'right',
    widthMm: room + extra,
  });
  if (row.isOutside !== undefined)
    report.artifact(() =>
      drawOutside(
        drawing,
        row.isOutside === 'above',
        xMm + nameMm + room - report.widthMm(value, style) - 3,
        y,
      ),
    );
  report.text(unit, xMm + nameMm + room + 0.7, y + 0.45, UNIT);
  report.text(row.note, xMm + nameMm + valueMm, y + 0.45, { ...NOTE, align: 'right', widthMm: noteMm });
}

function drawRow(drawing: Drawing, row: MeasuredRow, columns: Columns, y: number): void {
  const { report, words } = drawing;
  const { xMm, nameMm, valueMm, noteMm } = columns;
  report.group('TR', () => {
    report.text(words.measured[row.name], xMm, y + 0.3, { ...NAME, widthMm: nameMm });
    if (row.value === undefined) drawMissing(drawing, row, columns, y);
    else drawValue(drawing, row, row.value, columns, y);
  });
  report.artifact(() =>
    report.line(
      [xMm, y + ROW_MM - 0.2],
      [xMm + nameMm + valueMm + noteMm, y + ROW_MM - 0.2],
      0.1,
      COLOURS.table,
    ),
  );
}

export function drawMeasurements(drawing: Drawing, columns: Columns, yMm: number): void {
  const { report, words, input } = drawing;
  const { xMm, nameMm, valueMm, noteMm } = columns;
  const age = ageAtRecording(input.patient, input.result, input.createdMs);
  report.group('Table', () => {
    report.group('TR', () => {
      report.text(words.columns.measurement, xMm, yMm, HEAD);
      report.text(words.columns.usual, xMm + nameMm + valueMm, yMm, {
        ...HEAD,
        align: 'right',
        widthMm: noteMm,
      });
    });
    for (const [i, name] of MEASURED.entries())
      drawRow(drawing, measuredRow(name, input.result, age, words), columns, yMm + HEAD_MM + i * ROW_MM);
  });
}

const LEAD_NAME: TextStyle = { size: 7.2, weight: 'semiBold', role: 'TH' };
const LEAD_VALUE: TextStyle = { size: 7.2, role: 'TD' };
const LEAD_ROW_MM = 2.93;
const LEAD_MM = 9;
const LEAD_COLUMN_MM = 8.8;
const LEAD_COLUMNS = ['Q', 'R', 'S', 'J', 'J+80', 'T'] as const;

/** Millivolts with their sign, or why there are none. */
function leadCells(drawing: Drawing, lead: string): string[] {
  const { measurements } = drawing.input.result;
  const { noDeflection: none } = drawing.words;
  const [heights, st] = [measurements.leads?.[lead], measurements.st?.[lead]];
  const mv = (value: number | undefined): string => {
    if (value === undefined) return '–';
    const text = Math.abs(value).toFixed(2).replace('.', DECIMAL_SIGNS[drawing.language]);
    if (Number(Math.abs(value).toFixed(2)) === 0) return text;
    return `${value < 0 ? '−' : '+'}${text}`;
  };
  if (heights === undefined) return LEAD_COLUMNS.map(() => '–');
  const firstR = heights.qrs.findIndex(({ peakMv }) => peakMv > 0);
  const downs = heights.qrs.filter(({ peakMv }) => peakMv < 0);
  const isQs = firstR < 0 && downs.length > 0;
  const q = firstR > 0 ? heights.qrs[0]?.peakMv : undefined;
  const r = Math.max(...heights.qrs.map(({ peakMv }) => peakMv));
  const after = heights.qrs.slice(Math.max(0, firstR)).filter(({ peakMv }) => peakMv < 0);
  const s = after.length === 0 ? undefined : Math.min(...after.map(({ peakMv }) => peakMv));
  const t =
    heights.tMaxMv === undefined || heights.tMinMv === undefined
      ? undefined
      : Math.abs(heights.tMinMv) > Math.abs(heights.tMaxMv)
        ? heights.tMinMv
        : heights.tMaxMv;
  return [
    isQs || q === undefined ? none : mv(q),
    isQs ? 'QS' : firstR < 0 ? none : mv(r),
    s === undefined ? none : mv(s),
    mv(st?.jMv),
    mv(st?.j80Mv),
    mv(t),
  ];
}

/** Q, R, S, J, J+80 and T of each lead. */
export function drawLeadTable(drawing: Drawing, xMm: number, yMm: number): void {
  const { report } = drawing;
  const right = { align: 'right', widthMm: LEAD_COLUMN_MM } as const;
  const xOf = (column: number): number => xMm + LEAD_MM + column * LEAD_COLUMN_MM;
  report.group('Table', () => {
    report.group('TR', () => {
      report.text('mV', xMm, yMm, HEAD);
      for (const [column, name] of LEAD_COLUMNS.entries())
        report.text(name, xOf(column), yMm, { ...HEAD, ...right });
    });
    for (const [i, lead] of STANDARD_LEADS.entries()) {
      const y = yMm + HEAD_MM + i * LEAD_ROW_MM;
      report.group('TR', () => {
        report.text(leadName(lead), xMm, y, LEAD_NAME);
        for (const [column, text] of leadCells(drawing, lead).entries())
          report.text(text, xOf(column), y, { ...LEAD_VALUE, ...right });
      });
      if (i % 3 === 2)
        report.artifact(() =>
          report.line(
            [xMm, y + LEAD_ROW_MM - 0.1],
            [xOf(LEAD_COLUMNS.length), y + LEAD_ROW_MM - 0.1],
            0.1,
            COLOURS.table,
          ),
        );
    }
  });
}
