// The report of a recording of more than a minute, in portrait: summary, the whole of it as trends, its episodes, and the
// best strip of each kind; never just the first ten seconds.

import { fibrillationOf, unreadRanges } from '../../shared/long/known-time.ts';
import { STRIP_SECONDS, stripLead } from '../../shared/long/strips.ts';
import { durationText } from './duration-text.ts';
import { drawRowOn, linePath } from './ecg-paper.ts';
import { drawOverall, drawStatements } from './findings-block.ts';
import { drawEvents, drawHours } from './long-hours.ts';
import { type LongStrip, longStrips } from './long-strips.ts';
import { longSummary } from './long-summary.ts';
import { drawFooter, drawHeader, FOOTER_MM, HEADER_MM, scaleText, spokenScale } from './page-frame.ts';
import { pt } from './paper-size.ts';
import { drawNotes, drawReasons } from './reasons.ts';
import type { Drawing } from './report-input.ts';
import { COLOURS, type TextStyle } from './report-pdf.ts';
import { clockAt } from './report-text.ts';
import { rrSeconds } from './rr-intervals.ts';
import { leadsOf, nameOf, type Piece, PULSE_AREA_MM, pieceOf, SPEED_MM_PER_S } from './strips.ts';
import { tickStepSeconds, trendOf } from './trend.ts';

const TITLE: TextStyle = { size: 9.5, weight: 'semiBold', role: 'H2' };
const QUIET: TextStyle = { size: 7.5, colour: COLOURS.second };
const AXIS: TextStyle = { size: 7, colour: COLOURS.second };
const CELL: TextStyle = { size: 8, role: 'TD' };
const HEAD: TextStyle = { size: 7.5, colour: COLOURS.second, role: 'TH' };
const STATEMENTS_MM = 118;
const SUMMARY_X = 126;
const TRENDS_Y = 76;
const AXIS_X = 17;
const AXIS_MM = 173;
const RATE_MM = 24;
const VENTRICULAR_MM = 12;
const LANE_MM = 4;
/** As high as its trace needs. */
const STRIP_MM = { least: 26, most: 60 } as const;
const STRIP_HEAD_MM = 4.4;
const STRIP_FOOT_MM = 4;
const NOTE_LINE_MM = 3.6;
/** Where the content of later pages begins, below their shorter header. */
const OTHER_TOP_MM = 15;
/** At least so much of the table of reasons stands together. */
const NOTES_MM = 40;

function drawSummary(drawing: Drawing, yMm: number): void {
  const { report } = drawing;
  let y = yMm;
  report.group('Table', () => {
    for (const { label, value, at } of longSummary(drawing)) {
      report.group('TR', () => {
        report.text(label, SUMMARY_X, y, { ...CELL, role: 'TH', widthMm: 36 });
        report.text(value, SUMMARY_X + 24, y - 0.2, {
          size: 9,
          weight: 'semiBold',
          role: 'TD',
          align: 'right',
          widthMm: 22,
        });
        report.text(at, SUMMARY_X + 46, y, { ...QUIET, role: 'TD', align: 'right', widthMm: 18 });
      });
      y += 4.3;
      report.artifact(() => report.line([SUMMARY_X, y - 0.5], [SUMMARY_X + 64, y - 0.5], 0.1, COLOURS.table));
    }
  });
}

/** A stretch of the recording on the time axis. */
const xAt = ({ input }: Drawing, sample: number): number =>
  AXIS_X + (AXIS_MM * sample) / Math.max(1, input.result.recording.samples);

function drawTimeAxis(drawing: Drawing, topMm: number, bottomMm: number): void {
  const { report, input } = drawing;
  const { samples, sampleRateHz } = input.result.recording;
  const duration = samples / sampleRateHz;
  const step = tickStepSeconds(duration);
  for (let at = 0; at <= duration; at += step) {
    const x = xAt(drawing, at * sampleRateHz);
    report.line([x, topMm], [x, bottomMm], 0.1, COLOURS.table);
    const text = clockAt(input.result.recording.startTime, at, input.timeZone);
    report.draw(
      text,
      Math.min(x - report.widthMm(text, AXIS) / 2, AXIS_X + AXIS_MM - 9),
      bottomMm + 0.8,
      AXIS,
    );
  }
}

interface Scale {
  readonly top: number;
  readonly heightMm: number;
  readonly low: number;
  readonly high: number;
}

const yOn = ({ top, heightMm, low, high }: Scale, value: number): number =>
  top + heightMm * (1 - (Math.min(high, Math.max(low, value)) - low) / (high - low));

function drawValueAxis({ report }: Drawing, scale: Scale, step: number, label: string): void {
  report.draw(label, 0, scale.top - 0.4, { size: 8, weight: 'semiBold' });
  report.draw('/min', 0, scale.top + 3.2, AXIS);
  for (let value = scale.low; value <= scale.high + 1e-6; value += step) {
    const y = yOn(scale, value);
    report.line([AXIS_X, y], [AXIS_X + AXIS_MM, y], 0.1, COLOURS.table);
    report.draw(String(value), AXIS_X - 8, y - 1.4, { ...AXIS, align: 'right', widthMm: 6.5 });
  }
}

/** A step of an axis that has few lines and round numbers. */
const roundStep = (range: number): number =>
  [1, 2, 5, 10, 20, 25, 50, 100, 200].find((step) => range / step <= 5) ?? 500;

function drawRate(drawing: Drawing, top: number): void {
  const { report, words, input } = drawing;
  const { beats, recording } = input.result;
  const bins = Math.min(AXIS_MM * 2, Math.max(1, Math.floor(recording.samples / recording.sampleRateHz / 6)));
  const trend = trendOf(
    {
      samples: beats.map(({ sample }) => sample),
      rr: rrSeconds(input.result),
      isVentricular: (beat) => beats[beat]?.label === 'V',
      sampleRateHz: recording.sampleRateHz,
      sampleCount: recording.samples,
    },
    bins,
  );
  const known = [...trend.highBpm].filter(Number.isFinite);
  const high = Math.max(100, Math.ceil(Math.max(0, ...known) / 25) * 25);
  const scale: Scale = { top, heightMm: RATE_MM, low: 25, high };
  drawValueAxis(drawing, scale, high <= 150 ? 25 : 50, words.lanes.rate);
  const xOf = (bin: number): number => AXIS_X + (AXIS_MM * (bin + 0.5)) / bins;
  for (let bin = 0; bin < bins; bin++) {
    const [low, most] = [trend.lowBpm[bin] as number, trend.highBpm[bin] as number];
    if (Number.isFinite(low))
      report.line([xOf(bin), yOn(scale, low)], [xOf(bin), yOn(scale, most)], 0.25, COLOURS.rule);
  }
  linePath(report, bins, xOf, (bin) => yOn(scale, trend.meanBpm[bin] as number));
  if (known.length > 0) report.pdf.lineWidth(pt(0.3)).lineJoin('round').strokeColor(COLOURS.trace).stroke();
  drawVentricular(drawing, top + RATE_MM + 4, trend.ventricularPerMinute);
}

function drawVentricular(drawing: Drawing, top: number, perMinute: Float64Array): void {
  const { report, words } = drawing;
  const most = Math.max(5, ...perMinute);
  const step = roundStep(most * 2);
  const scale: Scale = { top, heightMm: VENTRICULAR_MM, low: 0, high: Math.ceil(most / step) * step };
  drawValueAxis(drawing, scale, scale.high / 2, words.lanes.ventricular);
  const width = AXIS_MM / perMinute.length;
  for (const [bin, value] of perMinute.entries()) {
    if (value === 0) continue;
    const y = yOn(scale, value);
    report.pdf
      .rect(
        report.x(AXIS_X + bin * width),
        report.y(y),
        pt(Math.max(0.2, width - 0.1)),
        pt(top + VENTRICULAR_MM - y),
      )
      .fillColor(COLOURS.second)
      .fill();
  }
}

function drawLane(
  drawing: Drawing,
  label: string,
  top: number,
  ranges: readonly (readonly [number, number])[],
): void {
  const { report } = drawing;
  report.draw(label, 0, top + 0.3, { size: 8 });
  report.line([AXIS_X, top + LANE_MM], [AXIS_X + AXIS_MM, top + LANE_MM], 0.1, COLOURS.table);
  for (const [start, end] of ranges) {
    const [from, to] = [xAt(drawing, start), xAt(drawing, end)];
    report.pdf
      .rect(report.x(from), report.y(top + 0.6), pt(Math.max(0.35, to - from)), pt(LANE_MM - 1.2))
      .fillColor(COLOURS.ink)
      .fill();
  }
}

/** @returns where it ends */
function drawTrends(drawing: Drawing, top: number): number {
  const { report, words, input } = drawing;
  const { result } = input;
  const lanesTop = top + 5 + RATE_MM + 4 + VENTRICULAR_MM + 2;
  const bottom = lanesTop + 3 * LANE_MM;
  report.text(words.wholeRecording, 0, top, TITLE);
  report.text(words.trendKey, 90, top + 0.6, { ...QUIET, align: 'right', widthMm: 100 });
  report.figure(`${words.wholeRecording}: ${words.lanes.rate}, ${words.lanes.ventricular}`, () => {
    drawTimeAxis(drawing, top + 5, bottom);
    drawRate(drawing, top + 5);
    const ranges = (isShown: (code: string) => boolean): (readonly [number, number])[] =>
      result.rhythms
        .filter(({ code }) => isShown(code))
        .map(({ startSample, endSample }) => [startSample, endSample] as const);
    drawLane(drawing, words.lanes.fibrillation, lanesTop, fibrillationOf(result));
    drawLane(
      drawing,
      words.lanes.episodes,
      lanesTop + LANE_MM,
      ranges((code) => ['VT', 'VF', 'ASYS', 'SVTA', 'PAUSE'].includes(code)),
    );
    drawLane(drawing, words.lanes.unread, lanesTop + 2 * LANE_MM, [
      ...result.recording.gaps,
      ...unreadRanges(result),
    ]);
  });
  return bottom + 5;
}

/** @returns where it ends */
function drawEpisodes(drawing: Drawing, top: number, strips: readonly LongStrip[]): number {
  const { report, words, language, input } = drawing;
  const rows = strips.flatMap((strip, i) =>
    strip.episode === undefined ? [] : [{ ...strip, number: i + 1 }],
  );
  if (rows.length === 0) return top;
  const x = { begins: 66, length: 96, beats: 120, rate: 144, strip: 166 };
  const { sampleRateHz, startTime } = input.result.recording;
  report.text(words.episodes, 0, top, TITLE);
  let y = top + 4.8;
  const right = (widthMm: number) => ({ align: 'right', widthMm }) as const;
  report.group('Table', () => {
    report.group('TR', () => {
      report.text(words.columns.kind, 0, y, HEAD);
      report.text(words.columns.begins, x.begins, y, { ...HEAD, ...right(24) });
      report.text(words.columns.length, x.length, y, { ...HEAD, ...right(20) });
      report.text(words.columns.beats, x.beats, y, { ...HEAD, ...right(18) });
      report.text(words.columns.rate, x.rate, y, { ...HEAD, ...right(20) });
      report.text(words.columns.strip, x.strip, y, { ...HEAD, ...right(24) });
    });
    y += 3.9;
    report.artifact(() => report.line([0, y - 0.4], [190, y - 0.4], 0.25));
    for (const { kind, episode, ofKind, number } of rows) {
      if (episode === undefined) continue;
      const { startSample, endSample, beats, bpm } = episode;
      report.group('TR', () => {
        const name = words.episode[kind] ?? kind;
        report.text(name, 0, y, { ...CELL, weight: 'semiBold' });
        if (ofKind !== undefined && ofKind !== '1')
          report.text(
            words.oneOf(ofKind),
            report.widthMm(name, { ...CELL, weight: 'semiBold' }) + 2,
            y,
            CELL,
          );
        report.text(clockAt(startTime, startSample / sampleRateHz, input.timeZone, true), x.begins, y, {
          ...CELL,
          ...right(24),
        });
        report.text(durationText((endSample - startSample) / sampleRateHz, language), x.length, y, {
          ...CELL,
          ...right(20),
        });
        report.text(beats === undefined ? '–' : String(beats), x.beats, y, { ...CELL, ...right(18) });
        report.text(bpm === undefined ? '–' : String(Math.round(bpm)), x.rate, y, { ...CELL, ...right(20) });
        report.text(String(number), x.strip, y, { ...CELL, ...right(24) });
      });
      y += 4.4;
      report.artifact(() => report.line([0, y - 0.6], [190, y - 0.6], 0.1, COLOURS.table));
    }
  });
  return y + 2;
}

/** Classes of the beats under a strip. */
function drawClasses(drawing: Drawing, startSample: number, top: number): void {
  const { report, input } = drawing;
  const { beats, recording } = input.result;
  const end = startSample + STRIP_SECONDS * recording.sampleRateHz;
  for (const { sample, label } of beats) {
    if (sample < startSample || sample >= end) continue;
    const x = PULSE_AREA_MM + ((sample - startSample) / recording.sampleRateHz) * SPEED_MM_PER_S;
    const style: TextStyle = { size: 7, weight: label === 'N' ? 'regular' : 'bold' };
    report.draw(label, x - report.widthMm(label, style) / 2, top, style);
  }
}

interface LaidStrip {
  readonly strip: LongStrip;
  readonly name: string;
  readonly piece: Piece;
  readonly paperMm: number;
  readonly zeroMm: number;
  /** What somebody wrote below it, line by line. */
  readonly notes: readonly string[];
}

/** Lead II where there is one. */
function layStrip({ report, input, gain }: Drawing, strip: LongStrip): LaidStrip | undefined {
  const leads = leadsOf(input.recording);
  const wanted = stripLead(
    leads.map(({ lead: each, label }) => each?.code ?? label),
    input.result.families?.leads,
  );
  const lead = leads.find(({ lead: each, label }) => (each?.code ?? label) === wanted) ?? leads[0];
  if (lead === undefined) return undefined;
  const startSeconds = strip.startSample / input.result.recording.sampleRateHz;
  const piece = pieceOf(lead, { startSeconds, seconds: STRIP_SECONDS, gain });
  // Where samples are missing, there is no height.
  const [up, down] = [1, -1].map((sign) =>
    piece.heightsMm.reduce((most, value) => (Number.isNaN(value) ? most : Math.max(most, sign * value)), 0),
  ) as [number, number];
  const [above, below] = [Math.max(11, up + 1), Math.max(4, down + 1)];
  const paperMm = Math.min(STRIP_MM.most, Math.max(STRIP_MM.least, Math.ceil(above + below)));
  const spare = Math.max(0, paperMm - above - below);
  const notes = strip.note === undefined ? [] : report.lines(strip.note, CELL, 190);
  return { strip, name: nameOf(lead), piece, paperMm, zeroMm: Math.round(above + spare / 2), notes };
}

/** One lead for 7.2 s, with what it shows above and the classes of its beats below. */
function drawStrip(drawing: Drawing, laid: LaidStrip, number: number, top: number): void {
  const { report, words, language, input } = drawing;
  const { recording, result } = input;
  const { strip, name, piece, paperMm, zeroMm, notes } = laid;
  const { kind, startSample, episode } = strip;
  const { sampleRateHz, startTime } = result.recording;
  const facts = [
    ...(episode?.beats === undefined ? [] : [`${episode.beats} ${words.columns.beats.toLowerCase()}`]),
    ...(episode?.bpm === undefined ? [] : [`${Math.round(episode.bpm)}/min`]),
  ].join(', ');
  const title = `${number} · ${words.episode[kind] ?? kind}`;
  report.text(title, 0, top, TITLE);
  report.text(facts, report.widthMm(title, TITLE) + 2, top + 0.4, QUIET);
  const when = clockAt(startTime, startSample / sampleRateHz, input.timeZone, true);
  report.text(`${when}, ${name}`, 100, top + 0.4, { ...QUIET, align: 'right', widthMm: 90 });
  const area = { xMm: 0, yMm: top + STRIP_HEAD_MM, widthMm: 190, heightMm: paperMm };
  report.figure(words.ecgOf(name, String(STRIP_SECONDS), spokenScale(drawing)), () => {
    drawRowOn(report, piece, zeroMm, area, language);
    drawClasses(drawing, startSample, area.yMm + paperMm + 0.4);
    if (recording.device?.isSimulated === true)
      report.draw(words.simulated, 150, area.yMm + 2, { size: 11, weight: 'bold', colour: COLOURS.alarm });
  });
  for (const [i, line] of notes.entries())
    report.text(line, 0, area.yMm + paperMm + STRIP_FOOT_MM + i * NOTE_LINE_MM, { ...CELL, role: 'P' });
}

export function drawLongReport(drawing: Drawing): void {
  const { report, input } = drawing;
  const strips = longStrips(input.result, input.corrections);
  const newPage = (): void => {
    report.addPage('portrait');
    drawHeader(drawing, 0, report.pages.length === 1);
  };
  newPage();
  const statementsTop = drawOverall(drawing, HEADER_MM.first + 0.4, STATEMENTS_MM);
  drawStatements(drawing, statementsTop, STATEMENTS_MM, TRENDS_Y - statementsTop - 2);
  drawSummary(drawing, HEADER_MM.first + 1);
  let y = drawEpisodes(drawing, drawTrends(drawing, TRENDS_Y), strips);
  const makeRoom = (heightMm: number): void => {
    if (y + heightMm <= report.page.heightMm - FOOTER_MM - 1) return;
    newPage();
    y = OTHER_TOP_MM;
  };
  for (const [i, strip] of strips.entries()) {
    const laid = layStrip(drawing, strip);
    if (laid === undefined) continue;
    const heightMm = STRIP_HEAD_MM + laid.paperMm + STRIP_FOOT_MM + laid.notes.length * NOTE_LINE_MM;
    makeRoom(heightMm);
    drawStrip(drawing, laid, i + 1, y);
    y += heightMm;
  }
  const onFull = (): number => {
    newPage();
    return OTHER_TOP_MM;
  };
  y = drawEvents(drawing, { yMm: y + 1, onFull });
  y = drawHours(drawing, { yMm: y + 1, onFull });
  makeRoom(NOTES_MM);
  const notesEnd = drawNotes(drawing, { xMm: 0, yMm: y + 2, widthMm: report.page.widthMm, onFull });
  drawReasons(drawing, { yMm: notesEnd + 2, statementMm: 66, restsMm: 122, onFull });
  for (const page of report.pages) {
    report.turnTo(page);
    drawFooter(drawing, { order: 'simultaneous', scale: scaleText(drawing) });
  }
}
