// The whole recording, a minute a line, on as many pages as it takes: full disclosure, for whoever wants to see that nothing
// was left out (report design, portrait, page 3).

import { DECIMAL_SIGNS } from '../../shared/language.ts';
import { unreadRanges } from '../../shared/long/known-time.ts';
import { type Channel, rateHz, readMillivolts } from '../../shared/signal/recording.ts';
import { median, quantile } from '../../shared/signal/statistics.ts';
import { ecgChannels } from '../signal/channels/judge-channels.ts';
import { linePath } from './ecg-paper.ts';
import { drawFooter, drawHeader, FOOTER_MM } from './page-frame.ts';
import { pt } from './paper-size.ts';
import type { Drawing } from './report-input.ts';
import { COLOURS, type ReportPdf, type TextStyle } from './report-pdf.ts';
import { clockAt } from './report-text.ts';
import { rrSeconds } from './rr-intervals.ts';
import { nameOf } from './strips.ts';

const LINE_SECONDS = 60;
const SPEED_MM_PER_S = 2.75;
const GAIN_MM_PER_MV = 2;
const PITCH_MM = 7.1;
const LEFT_MM = 11;
const TITLE_MM = 13.7;
const FIRST_LINE_MM = 24;
/** How far a line reaches from its own paper; what goes beyond is drawn over the next one. */
const REACH_MM = 6;
/** Two points stand for so much of a trace: its lowest and its highest. */
const THIN_MM = 0.15;
const TRACE_MM = 0.16;

const TITLE: TextStyle = { size: 9.5, weight: 'semiBold', role: 'H2' };
const QUIET: TextStyle = { size: 7.5, colour: COLOURS.second };
const RULER: TextStyle = { size: 7, colour: COLOURS.second };

/** Lead II, which shows P waves best, or the first one. */
const leadOf = ({ input }: Drawing): Channel | undefined => {
  const leads = ecgChannels(input.recording.channels);
  return leads.find(({ lead }) => lead?.code === 'MDC_ECG_LEAD_II' && !lead.isModified) ?? leads[0];
};

interface Thinned {
  readonly xMm: Float64Array;
  readonly mv: Float64Array;
}

/** The lowest and the highest value of each step, in the order in which they come; NaN where a step has no sample. */
function thin(mv: Float32Array, mmPerSample: number): Thinned {
  const steps = Math.ceil((mv.length * mmPerSample) / THIN_MM);
  const thinned: Thinned = { xMm: new Float64Array(2 * steps), mv: new Float64Array(2 * steps) };
  for (let step = 0; step < steps; step++) {
    const from = Math.ceil((step * THIN_MM) / mmPerSample);
    const to = Math.min(mv.length, Math.ceil(((step + 1) * THIN_MM) / mmPerSample));
    let [low, high] = [-1, -1];
    for (let i = from; i < to; i++) {
      const value = mv[i] as number;
      if (Number.isNaN(value)) continue;
      if (low < 0 || value < (mv[low] as number)) low = i;
      if (high < 0 || value > (mv[high] as number)) high = i;
    }
    for (const [k, i] of [Math.min(low, high), Math.max(low, high)].entries()) {
      thinned.xMm[2 * step + k] = i * mmPerSample;
      thinned.mv[2 * step + k] = i < 0 ? Number.NaN : (mv[i] as number);
    }
  }
  return thinned;
}

/**
 * Without a scale only the shape can be shown, within the height of a millivolt: of the first minute that has a signal, so that
 * all lines have one gain.
 */
function gainFor(channel: Channel): number {
  if (channel.isCalibrated) return GAIN_MM_PER_MV;
  const perLine = Math.round(LINE_SECONDS * rateHz(channel.rate));
  let valid = new Float32Array();
  for (let from = 0; from < channel.sampleCount && valid.length < perLine / 2; from += perLine)
    valid = readMillivolts(channel, from, Math.min(perLine, channel.sampleCount - from)).filter(
      Number.isFinite,
    );
  const span = (quantile(valid, 0.995) ?? 0) - (quantile(valid, 0.005) ?? 0);
  return span === 0 ? GAIN_MM_PER_MV : GAIN_MM_PER_MV / span;
}

/** Where a trace goes beyond its line's reach, a mark at the edge: what is cut must not pass for a plateau. */
function markCut(report: ReportPdf, xMm: number, edgeMm: number, isAbove: boolean): void {
  const [tip, foot] = isAbove ? [edgeMm - 0.8, edgeMm] : [edgeMm + 0.8, edgeMm];
  const at = (dx: number, y: number): [number, number] => [report.x(xMm + dx), report.y(y)];
  report.pdf.polygon(at(0, tip), at(0.5, foot), at(-0.5, foot)).fillColor(COLOURS.mark).fill();
}

function drawTrace(
  { report }: Drawing,
  { channel, gain }: Shown,
  startSeconds: number,
  zeroMm: number,
): void {
  const fs = rateHz(channel.rate);
  const from = Math.round(startSeconds * fs);
  const count = Math.min(Math.round((startSeconds + LINE_SECONDS) * fs), channel.sampleCount) - from;
  if (count <= 0) return;
  const mv = readMillivolts(channel, from, count);
  const zero = median(mv.filter(Number.isFinite)) ?? 0;
  const { xMm, mv: values } = thin(mv, SPEED_MM_PER_S / fs);
  const heightOf = (i: number): number => ((values[i] as number) - zero) * gain;
  linePath(
    report,
    values.length,
    (i) => LEFT_MM + (xMm[i] as number),
    (i) => zeroMm - Math.max(-REACH_MM, Math.min(REACH_MM, heightOf(i))),
  );
  report.pdf.lineWidth(pt(TRACE_MM)).lineJoin('round').strokeColor(COLOURS.trace).stroke();
  let markedTo = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const x = xMm[i] as number;
    if (!(Math.abs(heightOf(i)) > REACH_MM) || x - markedTo < 1) continue;
    const isAbove = heightOf(i) > 0;
    markCut(report, LEFT_MM + x, zeroMm + (isAbove ? -REACH_MM : REACH_MM), isAbove);
    markedTo = x;
  }
}

/** What was not read has no beats that could be counted: it is marked, and not taken for quiet. */
function drawUnread({ report, input }: Drawing, startSeconds: number, zeroMm: number): void {
  const { sampleRateHz, gaps } = input.result.recording;
  for (const [start, end] of [...gaps, ...unreadRanges(input.result)]) {
    const from = Math.max(0, start / sampleRateHz - startSeconds);
    const to = Math.min(LINE_SECONDS, end / sampleRateHz - startSeconds);
    if (to <= from) continue;
    report.line(
      [LEFT_MM + from * SPEED_MM_PER_S, zeroMm + 3.4],
      [LEFT_MM + to * SPEED_MM_PER_S, zeroMm + 3.4],
      0.6,
      COLOURS.rule,
    );
  }
}

/** What the analysis says of each minute: made once, read line by line. */
interface Minutes {
  readonly ventricular: readonly (readonly number[])[];
  readonly rates: readonly (number | undefined)[];
  /** The beats of all classes. */
  readonly beats: Float64Array;
}

/** The lead that is drawn, and how high. */
interface Shown {
  readonly channel: Channel;
  readonly gain: number;
}

function minutesOf({ input }: Drawing, lines: number): Minutes {
  const { beats, recording } = input.result;
  const rr = rrSeconds(input.result);
  const ventricular: number[][] = Array.from({ length: lines }, () => []);
  const [sums, counts, all] = [new Float64Array(lines), new Float64Array(lines), new Float64Array(lines)];
  for (const [i, { sample, label }] of beats.entries()) {
    const seconds = sample / recording.sampleRateHz;
    const line = Math.min(lines - 1, Math.floor(seconds / LINE_SECONDS));
    all[line] = (all[line] as number) + 1;
    if (label === 'V') ventricular[line]?.push(seconds - line * LINE_SECONDS);
    if (Number.isNaN(rr[i])) continue;
    sums[line] = (sums[line] as number) + (rr[i] as number);
    counts[line] = (counts[line] as number) + 1;
  }
  const rates = Array.from(counts, (count, line) =>
    count === 0 ? undefined : (60 * count) / (sums[line] as number),
  );
  return { ventricular, rates, beats: all };
}

function drawRuler({ report, words }: Drawing, channel: Channel): void {
  const scale = channel.isCalibrated ? ` · ${GAIN_MM_PER_MV} mm/mV` : ` · ${words.notCalibrated}`;
  report.text(words.everyBeat(nameOf(channel)), 0, TITLE_MM, TITLE);
  report.text(`${words.everyBeatKey}${scale}`, 90, TITLE_MM + 0.5, {
    ...QUIET,
    align: 'right',
    widthMm: 100,
  });
  report.artifact(() => {
    for (let at = 0; at <= LINE_SECONDS; at += 10) {
      const x = LEFT_MM + at * SPEED_MM_PER_S;
      report.line([x, FIRST_LINE_MM - 4.6], [x, FIRST_LINE_MM - 3.2], 0.25);
      const text = `${at} s`;
      report.draw(text, x - report.widthMm(text, RULER) / 2, FIRST_LINE_MM - 7.4, RULER);
    }
  });
}

function drawMinute(drawing: Drawing, shown: Shown, minutes: Minutes, line: number, zeroMm: number): void {
  const { report, input } = drawing;
  const startSeconds = line * LINE_SECONDS;
  const clock = clockAt(input.result.recording.startTime, startSeconds, input.timeZone);
  report.draw(clock, 0, zeroMm - 1.4, {
    ...RULER,
    ...(line % 5 === 0 && { weight: 'bold', colour: COLOURS.ink }),
  });
  drawTrace(drawing, shown, startSeconds, zeroMm);
  drawUnread(drawing, startSeconds, zeroMm);
  const ventricular = minutes.ventricular[line] ?? [];
  for (const seconds of ventricular)
    report.pdf
      .circle(report.x(LEFT_MM + seconds * SPEED_MM_PER_S), report.y(zeroMm + 3.4), pt(0.35))
      .fillColor(COLOURS.ink)
      .fill();
  const rate = minutes.rates[line];
  // Without a beat, nothing can be said of ventricular ones.
  const count = (minutes.beats[line] as number) === 0 ? '–' : String(ventricular.length);
  report.draw(`${rate === undefined ? '–' : Math.round(rate)} · ${count}`, 177, zeroMm - 1.4, {
    ...RULER,
    align: 'right',
    widthMm: 13,
  });
}

/** Pages of their own: nothing of the report's first page is repeated. */
export function drawEveryBeat(drawing: Drawing): void {
  const { report, words, input } = drawing;
  const channel = leadOf(drawing);
  if (channel === undefined) throw new Error('a recording without leads has no report');
  const shown: Shown = { channel, gain: gainFor(channel) };
  const lines = Math.max(1, Math.ceil(input.recording.durationSeconds / LINE_SECONDS));
  const minutes = minutesOf(drawing, lines);
  for (let line = 0; line < lines; ) {
    const { heightMm } = report.addPage('portrait');
    drawHeader(drawing, line * LINE_SECONDS, false);
    drawRuler(drawing, channel);
    const onPage = Math.min(
      lines - line,
      Math.floor((heightMm - FOOTER_MM - FIRST_LINE_MM - 3) / PITCH_MM) + 1,
    );
    report.figure(words.everyBeat(nameOf(channel)), () => {
      for (let i = 0; i < onPage; i++)
        drawMinute(drawing, shown, minutes, line + i, FIRST_LINE_MM + i * PITCH_MM);
    });
    if (input.recording.device?.isSimulated === true)
      report.text(words.simulated, 150, FIRST_LINE_MM - 7, {
        size: 9,
        weight: 'bold',
        colour: COLOURS.alarm,
      });
    line += onPage;
  }
  const speed = `${String(SPEED_MM_PER_S).replace('.', DECIMAL_SIGNS[drawing.language])} mm/s`;
  for (const page of report.pages) {
    report.turnTo(page);
    drawFooter(drawing, {
      order: 'simultaneous',
      scale: [speed, ...(channel.isCalibrated ? [`${GAIN_MM_PER_MV} mm/mV`] : [])].join(' · '),
    });
  }
}
