// What stands on every page: who it is of, when it was recorded, whether it was approved; below, how it was recorded and
// printed.

import { DECIMAL_SIGNS } from '../../shared/language.ts';
import { pngSize } from '../../shared/report-logo.ts';
import { rateHz } from '../../shared/signal/recording.ts';
import { ecgChannels } from '../signal/channels/judge-channels.ts';
import { pt } from './paper-size.ts';
import type { Drawing } from './report-input.ts';
import { COLOURS, type TextStyle } from './report-pdf.ts';
import { identityOf, startLine } from './report-text.ts';
import { SPEED_MM_PER_S } from './strips.ts';

const NAME: TextStyle = { size: 16, weight: 'bold', role: 'H1' };
const SMALL_NAME: TextStyle = { size: 12, weight: 'bold', role: 'H1' };
const IDENTITY: TextStyle = { size: 9.5, weight: 'semiBold' };
const START: TextStyle = { size: 8.5, weight: 'semiBold' };
const QUIET: TextStyle = { size: 7.5, colour: COLOURS.second };
/** Height of a header on the first page, and on the others. */
export const HEADER_MM = { first: 15.5, other: 12.6 } as const;
export const FOOTER_MM = 9.4;
const MARK_MM = { landscape: 66, portrait: 58 } as const;

/** A dashed frame where nobody has approved it, a solid one with the name where somebody has. */
function drawApproval({ report, words, language, input }: Drawing): void {
  const { pdf, page } = report;
  const widthMm = MARK_MM[page.orientation];
  const x = page.widthMm - widthMm;
  const { approval, timeZone } = input;
  report.artifact(() => {
    pdf.lineWidth(pt(approval.kind === 'preliminary' ? 0.5 : 0.4)).strokeColor(COLOURS.ink);
    if (approval.kind === 'preliminary') pdf.dash(pt(1.4), { space: pt(0.9) });
    pdf.roundedRect(report.x(x), report.y(0), pt(widthMm), pt(8), pt(1.2)).stroke().undash();
  });
  const centred = { align: 'centre', widthMm: widthMm - 3 } as const;
  if (approval.kind === 'preliminary')
    report.text(words.notApproved, x + 1.5, 1.1, { size: 16.5, weight: 'bold', ...centred });
  else if (approval.kind === 'automatic')
    report.text(words.automatic, x + 1.5, 2.3, { size: 9, weight: 'bold', ...centred });
  else {
    const when = startLine(new Date(approval.atMs).toISOString(), 0, timeZone, language);
    report.text(`${words.approvedBy} ${approval.by}`, x + 1.5, 0.7, { size: 9, weight: 'bold', ...centred });
    report.text(when, x + 1.5, 4.5, { ...QUIET, ...centred });
  }
}

function orderLine({ input, language }: Drawing): string {
  const { indications = [], patient } = input;
  const { heightCm, weightG } = patient;
  return [
    ...indications,
    ...(heightCm === undefined ? [] : [`${heightCm} cm`]),
    ...(weightG === undefined
      ? []
      : [`${String(Number((weightG / 1000).toFixed(1))).replace('.', DECIMAL_SIGNS[language])} kg`]),
  ].join(' · ');
}

/** At most so large, beside the mark of approval. */
const LOGO_MM = { landscape: { widthMm: 44, heightMm: 8 }, portrait: { widthMm: 26, heightMm: 8 } } as const;
const GAP_MM = 4;

/** @returns the room that it leaves before the mark of approval */
function drawLogo({ report, words, input }: Drawing, roomMm: number): number {
  if (input.logo === undefined) return roomMm;
  const { width, height } = pngSize(input.logo);
  const most = LOGO_MM[report.page.orientation];
  const scale = Math.min(most.widthMm / width, most.heightMm / height);
  const [widthMm, heightMm] = [width * scale, height * scale];
  const place: [number, number] = [report.x(roomMm - widthMm), report.y((most.heightMm - heightMm) / 2)];
  report.figure(input.clinic ?? words.logo, () =>
    report.pdf.image(Buffer.from(input.logo as Uint8Array), ...place, {
      width: pt(widthMm),
      height: pt(heightMm),
    }),
  );
  return roomMm - widthMm - GAP_MM;
}

/** The clinic, and the reason for a revised report. */
function drawClinic({ report, words, input }: Drawing): void {
  const { approval, clinic } = input;
  const reason = approval.kind === 'approved' ? approval.reason : undefined;
  const parts = [
    ...(reason === undefined ? [] : [`${words.amended}: ${reason}`]),
    ...(clinic === undefined ? [] : [clinic]),
  ];
  const widthMm = 140;
  report.text(parts.join(' · '), report.page.widthMm - widthMm, 12.1, { ...QUIET, align: 'right', widthMm });
}

/** @param startSeconds what the page shows begins so far into the recording */
export function drawHeader(drawing: Drawing, startSeconds: number, isFirst: boolean): void {
  const { report, words, language, input } = drawing;
  const { page } = report;
  const { name, line } = identityOf(input.patient, input.result, input.createdMs, input.taskId, language);
  const isSimulated = input.recording.device?.isSimulated === true;
  const shownName = isSimulated ? `${words.simulated} · ${name}` : name;
  report.group('Sect', () => {
    const beforeMark = page.widthMm - MARK_MM[page.orientation] - GAP_MM;
    const room = isFirst ? drawLogo(drawing, beforeMark) : beforeMark;
    const style = report.widthMm(shownName, NAME) <= room ? NAME : SMALL_NAME;
    report.text(shownName, 0, style === NAME ? -0.8 : 0.4, {
      ...style,
      widthMm: room,
      ...(isSimulated && { colour: COLOURS.alarm }),
    });
    report.text(line, 0, 5.5, { ...IDENTITY, widthMm: room });
    const start = startLine(input.result.recording.startTime, startSeconds, input.timeZone, language);
    const besideStart = page.widthMm - report.widthMm(start, START) - GAP_MM;
    const isCut = report.printable(`${name}${line}`) !== `${name}${line}`.normalize('NFC');
    if (isCut)
      report.text(words.unprintable, 0, 10.3, { size: 7.5, colour: COLOURS.alarm, widthMm: besideStart });
    else if (isFirst) report.text(orderLine(drawing), 0, 10.3, { ...QUIET, widthMm: besideStart });
    drawApproval(drawing);
    report.text(start, page.widthMm - 140, 8.8, { ...START, align: 'right', widthMm: 140 });
    if (isFirst) drawClinic(drawing);
  });
  const y = isFirst ? HEADER_MM.first : HEADER_MM.other;
  report.artifact(() => report.line([0, y], [page.widthMm, y], 0.25));
}

/** What the device was, as the file says it. */
function sourceLine({ words, language, input }: Drawing, order: 'sequential' | 'simultaneous'): string {
  const { recording, result } = input;
  const rates = [
    ...new Set(ecgChannels(recording.channels).map((channel) => Math.round(rateHz(channel.rate)))),
  ];
  const lost =
    result.recording.gaps.reduce((sum, [start, end]) => sum + end - start, 0) /
    Math.max(1, result.recording.samples);
  const percent = (100 * lost).toFixed(2).replace('.', DECIMAL_SIGNS[language]);
  return [
    recording.deviceId ?? `${recording.format} (${words.file})`,
    `${rates.join('/')} Hz`,
    words.orders[order],
    `${words.lost} ${percent} %`,
  ].join(' · ');
}

function noteLine({ words, input }: Drawing): string {
  const { recording, approval } = input;
  return [
    ...(recording.warnings.some(({ name }) => name === 'gains_contradict') ? [words.gainAssumed] : []),
    ...(recording.device?.class === 'monitoring' ? [words.monitoring] : []),
    ...(approval.kind === 'approved' ? [] : [words.suggestion]),
  ].join(' ');
}

/** Fifty millimetres with a tick every ten: what a ruler says of the printer. */
function drawControlLine({ report, words }: Drawing, y: number): void {
  report.artifact(() => {
    report.line([0, y], [50, y], 0.2);
    for (let tick = 0; tick <= 50; tick += 10) report.line([tick, y - 1], [tick, y + 1], 0.2);
    if (report.page.orientation === 'landscape') report.draw(words.controlLine, 51.5, y - 1.4, QUIET);
    else report.draw(words.controlLine, 0, y + 1, QUIET);
  });
}

/** @param scale of what is drawn on the page, and what else its reader has to know of it */
export function drawFooter(
  drawing: Drawing,
  { order, scale }: { readonly order: 'sequential' | 'simultaneous'; readonly scale: string },
): void {
  const { report, words, language, input } = drawing;
  const { page, pages } = report;
  const top = page.heightMm - FOOTER_MM;
  const right = { ...QUIET, align: 'right' } as const;
  const leftMm = page.orientation === 'landscape' ? 75 : 58;
  const wide = page.widthMm - leftMm;
  const { name, line } = identityOf(input.patient, input.result, input.createdMs, input.taskId, language);
  const made = [
    ...(input.taskId === undefined ? [] : [`${words.task} ${input.taskId}`]),
    ...(input.revision === undefined ? [] : [`${words.revision} ${input.revision}`]),
    `Isoline ${input.productVersion}`,
    `${words.analysis} ${input.result.analysisVersion}`,
  ].join(' · ');
  report.artifact(() => {
    report.draw(`${scale} · ${words.unfiltered}`, 0, top, { size: 7.5, weight: 'semiBold' });
    report.draw(sourceLine(drawing, order), page.widthMm - 120, top, { ...right, widthMm: 120 });
    report.draw([made, noteLine(drawing)].filter(Boolean).join(' · '), leftMm, top + 3.2, {
      ...right,
      widthMm: wide,
    });
    report.draw(`${name} · ${line} · ${words.page(page.index + 1, pages.length)}`, leftMm, top + 6.3, {
      ...right,
      weight: 'semiBold',
      colour: COLOURS.ink,
      widthMm: wide,
    });
  });
  drawControlLine(drawing, top + (page.orientation === 'landscape' ? 6.4 : 4.8));
}

/** The scale of the ECG. */
export const scaleText = ({ words, gain }: Drawing): string => `${SPEED_MM_PER_S} mm/s · ${words.gain[gain]}`;

/** In the words that stand for the picture. */
export const spokenScale = ({ words, gain }: Drawing): string =>
  `${SPEED_MM_PER_S} mm/s, ${words.gain[gain]}`;
