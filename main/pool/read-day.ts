// What a screen shows of a recording of an hour or more: its stored result, and stretches of its signal as rows of a picture.

import {
  type AnalysisResult,
  type Episode,
  type Families,
  NO_LIKENESS,
  NO_NEXT_LIKELY,
} from '../../shared/analysis-result.ts';
import type { StatementCode } from '../../shared/findings/codes.ts';
import { given } from '../../shared/given.ts';
import { pausesOf, unreadRanges } from '../../shared/long/known-time.ts';
import { withDerivedLeads } from '../../shared/signal/derived-leads.ts';
import type { Recording } from '../../shared/signal/recording.ts';
import { type LeadReader, type LeadSignal, openLeads } from '../analysis/signal/lead-signals.ts';
import type { RowsWanted, SignalRows, StoredDay } from '../clinic/ports.ts';

/** A beat without a family. */
const NO_FAMILY = 0xffffffff;

/** Bytes of their own: what crosses a thread takes its whole buffer along. */
const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength).slice();

const decoded = (base64: string): Uint8Array => bytesOf(Buffer.from(base64, 'base64'));

const picturesOf = ({ pictures, leads, cellMv, likeness, nextLikely }: Families) => ({
  pictures: pictures.map(({ family, beats, density, meanUv }) => ({
    family,
    beats,
    density: density.map(decoded),
    meanUv: meanUv.map((uv) => bytesOf(Int32Array.from(uv))),
  })),
  pictureLeads: leads,
  cellMv,
  likeness: decoded(likeness),
  nextLikely,
});

/** Versions that drew no pictures. */
const withoutPictures = (beats: number) => ({
  pictures: [],
  pictureLeads: [],
  cellMv: 0,
  likeness: new Uint8Array(beats).fill(NO_LIKENESS),
  nextLikely: NO_NEXT_LIKELY.repeat(beats),
});

const STRIP_SECONDS = 10;

/** The stored list of episodes is cut where there are many: pauses and fibrillation are all there, for whoever counts them. */
function allEpisodes(result: AnalysisResult): Episode[] {
  const { episodes = [], recording } = result;
  const length = Math.min(recording.samples, Math.round(STRIP_SECONDS * recording.sampleRateHz));
  const listed = new Set(episodes.map(({ code, startSample }) => `${code} ${startSample}`));
  const left = (code: 'AFIB' | 'PAUSE', ranges: readonly (readonly [number, number])[]): Episode[] =>
    ranges
      .filter(([startSample]) => !listed.has(`${code} ${startSample}`))
      .map(([startSample, endSample]) => {
        const strip = Math.max(0, Math.min(recording.samples - length, startSample));
        return { code, startSample, endSample, strip: [strip, strip + length], isBest: false };
      });
  return [
    ...episodes,
    ...left('PAUSE', pausesOf(result)),
    ...(result.fibrillation === undefined ? [] : left('AFIB', result.fibrillation)),
  ].sort((a, b) => a.startSample - b.startSample);
}

/** @param resultJson of the stored result */
export function readDay(resultJson: Uint8Array): StoredDay {
  const result = JSON.parse(Buffer.from(resultJson).toString('utf8')) as AnalysisResult;
  const { recording, beats, rhythms, holter, families, quality, assessments = [], notAssessed = [] } = result;
  const isUnknown = notAssessed.some(({ code }) => code === 'PACING');
  const isAssessed = (wanted: StatementCode): boolean =>
    assessments.some(({ code, outcome }) => code === wanted && outcome !== 'notAssessed');
  const paced = assessments.find(({ code }) => code === 'RHY-PACED')?.outcome;
  return {
    sampleRateHz: recording.sampleRateHz,
    samples: recording.samples,
    leads: recording.leads,
    uncalibrated: quality.filter(({ flags }) => flags.includes('uncalibrated')).map(({ lead }) => lead),
    beatSamples: bytesOf(Uint32Array.from(beats, ({ sample }) => sample)),
    beatLabels: beats.map(({ label }) => label).join(''),
    beatFamilies: bytesOf(Uint32Array.from(beats, ({ family }) => family ?? NO_FAMILY)),
    ...(families === undefined ? withoutPictures(beats.length) : picturesOf(families)),
    rhythms,
    episodes: allEpisodes(result),
    gaps: recording.gaps,
    unread: unreadRanges(result).map(([start, end]): [number, number] => [start, end]),
    // Paced beats come regularly whatever the atria do.
    isFibrillationAssessed: isAssessed('RHY-AFIB') && paced !== 'present',
    arePausesAssessed: isAssessed('RHY-PAUSE'),
    isEctopyAssessed: isAssessed('ECT-PVC'),
    ...given({
      holter,
      isPaced: paced === 'present' || (paced === 'absent' && !isUnknown ? false : undefined),
    }),
  };
}

/** A stretch as columns, from the least to the greatest of each. @param into two values a column */
function drawColumns(
  reader: LeadReader,
  { startSample, sampleCount }: RowsWanted['spans'][number],
  into: Float32Array,
): void {
  into.fill(Number.NaN);
  const start = Math.min(startSample, reader.sampleCount);
  const end = Math.min(start + sampleCount, reader.sampleCount);
  const lead = start < end ? reader.window(start, end).leads[0] : undefined;
  if (lead === undefined) return;
  const columns = into.length / 2;
  for (let i = 0; i < end - start; i++) {
    if (lead.invalid[i] === 1) continue;
    const value = lead.mv[i] as number;
    const at = 2 * Math.floor((i * columns) / sampleCount);
    if (!(value >= (into[at] as number))) into[at] = value;
    if (!(value <= (into[at + 1] as number))) into[at + 1] = value;
  }
  joinColumns(lead, sampleCount, into);
}

/** Where a column has no sample of its own, because there are more columns than samples, it lies on the line between two. */
function joinColumns(
  { mv, invalid }: Pick<LeadSignal, 'mv' | 'invalid'>,
  sampleCount: number,
  into: Float32Array,
): void {
  const columns = into.length / 2;
  if (columns <= sampleCount) return;
  for (let column = 0; column < columns; column++) {
    if (!Number.isNaN(into[2 * column] as number)) continue;
    const place = (column * sampleCount) / columns;
    const before = Math.floor(place);
    const [low, high] = [mv[before], mv[before + 1]];
    if (low === undefined || high === undefined || invalid[before] === 1) continue;
    const value = low + (high - low) * (place - before);
    into[2 * column] = value;
    into[2 * column + 1] = value;
  }
}

/** One lead of a recording: the one that is asked for, else the first. */
export function readRows(recording: Recording, { lead, spans, columns }: RowsWanted): SignalRows {
  const all = openLeads(withDerivedLeads(recording));
  const named = all.leads.findIndex(({ name }) => name === lead);
  const index = Math.max(0, named);
  const reader = all.only([index]);
  const mv = new Float32Array(2 * columns * spans.length);
  for (const [i, span] of spans.entries())
    drawColumns(reader, span, mv.subarray(2 * columns * i, 2 * columns * (i + 1)));
  const facts = all.leads[index];
  return { lead: facts?.name ?? '', isCalibrated: facts?.isCalibrated ?? false, mv: bytesOf(mv) };
}
