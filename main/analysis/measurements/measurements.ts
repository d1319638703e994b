// Numbers from beats and marks. Definitions: analysis reference, section 7; when a value must be absent:
// section 12.

import type { Beat, Measurements } from '../../../shared/analysis-result.ts';
import { WIDE_QRS_MS } from '../../../shared/clinical-limits.ts';
import { mean } from '../../../shared/signal/statistics.ts';
import type { LeadFacts } from '../signal/lead-signals.ts';
import { isMeasurable, type QualityReport } from '../signal/quality.ts';
import { spansGap, type TimeBase } from '../signal/time-base.ts';
import type { Marks } from '../waves/median-marks.ts';
import type { MedianBeat } from './median-beat.ts';

const MIN_BEATS = 3;
/** Faster, T and the next P run into each other. */
const MAX_RATE_FOR_QT_BPM = 130;
/** From here on, two measures of QRS have to agree. */
const FAST_BPM = 120;
const MOST_QRS_APART_MS = 20;
const WIDE_SHARE = 0.485;
const MIN_RATE_FOR_QRS_HZ = 200;
const MIN_P_EVIDENCE = 0.5;
const INDETERMINATE_AXIS = 0.15;
/** R-R in milliseconds between neighbouring beats, without those that span a gap. */
function rrIntervalsMs(beats: readonly Beat[], time: TimeBase): number[] {
  const intervals: number[] = [];
  for (let i = 1; i < beats.length; i++) {
    const from = (beats[i - 1] as Beat).sample;
    const to = (beats[i] as Beat).sample;
    if (!spansGap(time, from, to)) intervals.push((1000 * (to - from)) / time.sampleRateHz);
  }
  return intervals;
}

/** A wave and its base line, straight from `first` to `last`. */
interface WaveStretch {
  readonly start: number;
  readonly end: number;
  readonly groundOf: (lead: Float64Array) => readonly [first: number, last: number];
}

/** Area of a wave above its base line, signed and unsigned. */
function areas(lead: Float64Array, { start, end, groundOf }: WaveStretch): { net: number; all: number } {
  const [from, to] = [Math.round(start), Math.round(end)];
  const [first, last] = groundOf(lead);
  let [net, all] = [0, 0];
  for (let i = from; i < to; i++) {
    const height = (lead[i] as number) - first - ((last - first) * (i - from)) / (to - from);
    net += height;
    all += Math.abs(height);
  }
  return { net, all };
}

const LEVEL_SAMPLES = 5;
const levelBefore = (lead: Float64Array, at: number): number =>
  mean(lead.subarray(Math.max(0, Math.round(at) - LEVEL_SAMPLES), Math.round(at))) ?? 0;
const levelBehind = (lead: Float64Array, at: number): number =>
  mean(lead.subarray(Math.round(at), Math.round(at) + LEVEL_SAMPLES)) ?? 0;

interface FrontalLeads {
  readonly i: Float64Array;
  readonly avf: Float64Array;
}

/** Lead I with aVF, or with II, from which aVF follows. Modified electrode pairs don't count. */
function frontalLeads(
  beat: MedianBeat,
  analysed: readonly LeadFacts[],
  quality: QualityReport,
): FrontalLeads | undefined {
  const find = (name: string): Float64Array | undefined => {
    const index = analysed.findIndex((lead) => lead.name === name && lead.isStandard);
    const judged = quality.leads[index];
    const isUsable = judged !== undefined && isMeasurable(judged) && !judged.flags.includes('uncalibrated');
    return isUsable ? beat.leads[index] : undefined;
  };
  const i = find('MDC_ECG_LEAD_I');
  const avf = find('MDC_ECG_LEAD_AVF');
  const ii = find('MDC_ECG_LEAD_II');
  if (i === undefined) return undefined;
  if (avf !== undefined) return { i, avf };
  return ii === undefined ? undefined : { i, avf: ii.map((value, k) => value - (i[k] as number) / 2) };
}

/** Angle of the wave's area in the frontal plane; undefined where the area points nowhere. */
function axisDeg({ i, avf }: FrontalLeads, wave: WaveStretch): number | undefined {
  const [ofI, ofAvf] = [areas(i, wave), areas(avf, wave)];
  const x = ofI.net;
  const y = (ofAvf.net * 2) / Math.sqrt(3);
  const all = Math.hypot(ofI.all, ofAvf.all);
  if (Math.hypot(x, y) < INDETERMINATE_AXIS * all || all === 0) return undefined;
  const degrees = Math.round((180 / Math.PI) * Math.atan2(y, x));
  return degrees === -180 ? 180 : degrees;
}

/** Keys whose value is a number; the others stay away. */
type Numbers = Omit<Measurements, 'leads' | 'st'>;
function measured(values: { readonly [K in keyof Numbers]: Numbers[K] | undefined }): Numbers {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && Number.isFinite(value)),
  );
}

const round = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.round(value);

export interface MeasurementInput {
  readonly time: TimeBase;
  readonly leads: readonly LeadFacts[];
  readonly beats: readonly Beat[];
  readonly beat: MedianBeat | undefined;
  readonly marks: Marks;
  /** By the slopes of the median beat. */
  readonly qrsMsBySlopes: number | undefined;
  /** Share of the beats that have the same P wave before them. */
  readonly pShare: number;
  /** P waves are marked one by one, and hold. */
  readonly isPTrainProven: boolean;
  /** No P wave and no regular interval to hang a PR or a QT correction on. */
  readonly isIrregularWithoutP: boolean;
  /** Somewhere the heart does not beat, or its beats run into each other and some are missed. */
  readonly isRateUnclear: boolean;
  /** Waves run on between the beats: what looks like P or the end of T can be one of them. */
  readonly hasAtrialWaves: boolean;
  readonly quality: QualityReport;
}

/** Two measures of QRS that are near each other, and both narrow or both wide. */
const doAgree = (qrsMs: number, otherMs: number | undefined): boolean =>
  otherMs !== undefined &&
  Math.abs(otherMs - qrsMs) <= MOST_QRS_APART_MS &&
  qrsMs < WIDE_QRS_MS === otherMs < WIDE_QRS_MS;

function intervals(input: MeasurementInput, rrMs: number | undefined): Measurements {
  const { beat, marks } = input;
  if (beat === undefined || marks.qrsOnset === undefined || marks.qrsOffset === undefined) return {};
  const ms = (samples: number): number => Math.round((1000 * samples) / beat.sampleRateHz);
  const hasP =
    marks.pOnset !== undefined &&
    marks.pOffset !== undefined &&
    (marks.isPStated === true ||
      ((input.isPTrainProven || input.pShare >= MIN_P_EVIDENCE) &&
        !input.isIrregularWithoutP &&
        !input.hasAtrialWaves));
  const qrsMs = ms(marks.qrsOffset - marks.qrsOnset);
  const isFast = rrMs === undefined || 60_000 / rrMs >= FAST_BPM;
  const isQrsUsable =
    input.time.sampleRateHz >= MIN_RATE_FOR_QRS_HZ &&
    beat.memberCount >= MIN_BEATS &&
    (!isFast || doAgree(qrsMs, input.qrsMsBySlopes));
  const isQtUsable =
    marks.tEnd !== undefined &&
    marks.isTTrusted &&
    !input.hasAtrialWaves &&
    rrMs !== undefined &&
    60_000 / rrMs <= MAX_RATE_FOR_QT_BPM;
  const qtMs = isQtUsable && marks.tEnd !== undefined ? ms(marks.tEnd - marks.qrsOnset) : undefined;
  const canCorrect =
    qtMs !== undefined && rrMs !== undefined && (!input.isIrregularWithoutP || input.beats.length >= 10);
  const rr = (rrMs ?? 1000) / 1000;
  const isWide = isQrsUsable && qrsMs >= WIDE_QRS_MS;
  const frontal = frontalLeads(beat, input.leads, input.quality);
  const axis = (
    start: number | undefined,
    end: number | undefined,
    groundOf: WaveStretch['groundOf'],
  ): number | undefined =>
    frontal === undefined || start === undefined || end === undefined
      ? undefined
      : axisDeg(frontal, { start, end, groundOf });
  const { qrsOnset, qrsOffset, pOnset, pOffset, pOffsetOfMost = pOffset } = marks;
  const onPr: WaveStretch['groundOf'] = (lead) => {
    const level = levelBefore(lead, qrsOnset);
    return [level, level];
  };
  // Where P stands on the end of T, its base line falls.
  const onT: WaveStretch['groundOf'] = (lead) => [
    levelBefore(lead, pOnset as number),
    levelBehind(lead, pOffsetOfMost as number),
  ];
  return measured({
    pMs: hasP ? ms((marks.pOffset as number) - (marks.pOnset as number)) : undefined,
    prMs: hasP ? ms(marks.qrsOnset - (marks.pOnset as number)) : undefined,
    qrsMs: isQrsUsable ? qrsMs : undefined,
    qtMs,
    jtMs: isWide && qtMs !== undefined ? qtMs - qrsMs : undefined,
    // Bogossian 2014 (Heart Rhythm 11:2273-2277): a wide QRS makes QT longer by half its width.
    qtcWideMs:
      isWide && canCorrect ? round(((qtMs as number) - WIDE_SHARE * qrsMs) / Math.sqrt(rr)) : undefined,
    qtcBazettMs: canCorrect ? round((qtMs as number) / Math.sqrt(rr)) : undefined,
    qtcFridericiaMs: canCorrect ? round((qtMs as number) / Math.cbrt(rr)) : undefined,
    qtcFraminghamMs: canCorrect ? round((qtMs as number) + 154 * (1 - rr)) : undefined,
    qtcHodgesMs: canCorrect ? round((qtMs as number) + 1.75 * (60 / rr - 60)) : undefined,
    pAxisDeg: hasP ? axis(pOnset, pOffsetOfMost, onT) : undefined,
    qrsAxisDeg: axis(qrsOnset, qrsOffset, onPr),
    tAxisDeg: isQtUsable ? axis(qrsOffset, marks.tEnd, onPr) : undefined,
    medianBeats: beat.memberCount,
  });
}

export function measure(input: MeasurementInput): Measurements {
  const rr = rrIntervalsMs(input.beats, input.time);
  const hasRate = input.beats.length >= MIN_BEATS && rr.length > 0 && !input.isRateUnclear;
  const rrMs = hasRate ? (mean(rr) as number) : undefined;
  return {
    ...measured({
      heartRateBpm: rrMs === undefined ? undefined : Math.round(60_000 / rrMs),
      rrMs: round(rrMs),
      rrMinMs: hasRate ? round(rr.reduce((low, value) => Math.min(low, value))) : undefined,
      rrMaxMs: hasRate ? round(rr.reduce((high, value) => Math.max(high, value))) : undefined,
    }),
    ...intervals(input, rrMs),
  };
}
