// Which strips a report shows of a long recording where nobody has chosen others: the most telling episode of each kind, the fastest and
// the slowest rate, single ectopic beats, what the patient felt, and the usual rhythm to compare with.

import { type Episode, MOST_OF_A_KIND } from '../analysis-result.ts';
import type { ChosenStrip } from '../review/corrections.ts';
import { firstFrom } from '../signal/first-from.ts';
import { type LabelledBeats, overlapOf, type SampleRange } from './hour-table.ts';

export interface StripSource {
  readonly sampleRateHz: number;
  readonly sampleCount: number;
  readonly beats: LabelledBeats;
  /** Episodes that nobody has rejected. */
  readonly episodes: readonly Episode[];
  /** Where samples are missing, or noise hides the beats. */
  readonly unknown: readonly SampleRange[];
  /** Where a patient felt or did something. */
  readonly events?: readonly number[];
}

/** What could stand in the place of a strip. */
export interface StripPlace {
  readonly startSample: number;
  /** The first sample of what it shows. */
  readonly ofSample: number;
}

/** On paper, with the calibration pulse before it, as wide as a page. */
export const STRIP_SECONDS = 7.2;
/** Before what a strip shows. */
const LEAD_IN_SECONDS = 1.5;
const MOST_STRIPS = 12;
const MOST_PLACES = 40;
const RATE_INTERVALS = 8;
const STRIP_KINDS_BY_GRAVITY = ['VF', 'ASYS', 'VT', 'PAUSE', 'AFIB', 'SVTA', 'BRADY', 'TACHY'] as const;
const isEpisodeKind = (kind: string): kind is Episode['code'] =>
  (STRIP_KINDS_BY_GRAVITY as readonly string[]).includes(kind);

const LEAD_II = 'MDC_ECG_LEAD_II';

/** The lead of strips and rows: II where there is one, as in every report, else the one that shows the beats best. */
export const stripLead = (leads: readonly string[], pictureLeads: readonly string[] = []): string =>
  leads.includes(LEAD_II) ? LEAD_II : (pictureLeads[0] ?? leads[0] ?? '');

function placeAt({ sampleRateHz, sampleCount }: StripSource, ofSample: number): StripPlace {
  const last = sampleCount - Math.ceil(STRIP_SECONDS * sampleRateHz);
  const start = Math.round(ofSample - LEAD_IN_SECONDS * sampleRateHz);
  return { startSample: Math.max(0, Math.min(last, start)), ofSample };
}

/** How telling an episode of its kind is. */
const weightOf = ({ code, startSample, endSample, bpm = 0 }: Episode): number =>
  code === 'VT' || code === 'SVTA' || code === 'TACHY'
    ? bpm
    : code === 'BRADY'
      ? -bpm
      : endSample - startSample;

/** Stretches of eight intervals, the fastest or the slowest of each few minutes first; a pause is no slow rate. */
function placesByRate(source: StripSource, isFastest: boolean): StripPlace[] {
  const { samples } = source.beats;
  const left = [
    ...source.unknown,
    ...source.episodes
      .filter(({ code }) => code === 'PAUSE')
      .map(({ startSample, endSample }): SampleRange => [startSample, endSample]),
  ];
  const part = 300 * source.sampleRateHz;
  const best = new Map<number, { at: number; long: number }>();
  for (let i = RATE_INTERVALS; i < samples.length; i++) {
    const at = samples[i - RATE_INTERVALS] as number;
    const long = (samples[i] as number) - at;
    const known = best.get(Math.floor(at / part));
    if (known !== undefined && (isFastest ? known.long <= long : known.long >= long)) continue;
    if (overlapOf(left, at, at + long) === 0) best.set(Math.floor(at / part), { at, long });
  }
  return [...best.values()]
    .sort((a, b) => (isFastest ? a.long - b.long : b.long - a.long))
    .map(({ at }) => placeAt(source, at));
}

/** @param isOwn by the index of a beat */
function placesOfBeats(source: StripSource, isOwn: (beat: number) => boolean): StripPlace[] {
  const places: StripPlace[] = [];
  for (let i = 0; i < source.beats.samples.length && places.length < MOST_PLACES; i++)
    if (isOwn(i)) places.push(placeAt(source, source.beats.samples[i] as number));
  return places;
}

/** Usual beats alone for as long as a strip is, with nothing unknown in it; spread over the recording. */
function usualPlaces(source: StripSource): StripPlace[] {
  const { samples, labels } = source.beats;
  const long = STRIP_SECONDS * source.sampleRateHz;
  const usual = 'N'.charCodeAt(0);
  const isUsual = (first: number): boolean => {
    const start = placeAt(source, samples[first] as number).startSample;
    const end = firstFrom(samples, start + long);
    if (end - first < 3 || overlapOf(source.unknown, start, start + long) > 0) return false;
    const inEpisode = source.episodes.some(
      (each) => each.startSample < start + long && each.endSample > start,
    );
    if (inEpisode) return false;
    for (let i = firstFrom(samples, start); i < end; i++) if (labels[i] !== usual) return false;
    return true;
  };
  const places: StripPlace[] = [];
  const step = Math.max(1, Math.floor(samples.length / 200));
  for (let i = 0; i < samples.length && places.length < MOST_PLACES; i += step)
    if (isUsual(i)) places.push(placeAt(source, samples[i] as number));
  if (places.length > 0) return places;
  return samples.length === 0 ? [placeAt(source, 0)] : [placeAt(source, samples[0] as number)];
}

/** What could stand in the place of a strip of a kind, the most telling first. */
export function stripPlaces(source: StripSource, kind: string): StripPlace[] {
  const { labels } = source.beats;
  if (isEpisodeKind(kind))
    return source.episodes
      .filter(({ code }) => code === kind)
      .sort((a, b) => weightOf(b) - weightOf(a))
      .slice(0, MOST_PLACES)
      .map(({ startSample }) => placeAt(source, startSample));
  if (kind === 'FASTEST' || kind === 'SLOWEST')
    return placesByRate(source, kind === 'FASTEST').slice(0, MOST_PLACES);
  if (kind === 'V' || kind === 'S') {
    const letter = kind.charCodeAt(0);
    return placesOfBeats(source, (beat) => labels[beat] === letter);
  }
  if (kind === 'EVENT') return (source.events ?? []).map((sample) => placeAt(source, sample));
  return usualPlaces(source);
}

/** An event belongs to an arrhythmia that is so near. */
const BESIDE_EVENT_SECONDS = 30;

/** The strips of a report, in its order. */
export function programStrips(source: StripSource): ChosenStrip[] {
  const stripOf = (kind: string, place: StripPlace | undefined): ChosenStrip[] =>
    place === undefined ? [] : [{ kind, ...place }];
  const first = (kind: string): ChosenStrip[] => stripOf(kind, stripPlaces(source, kind)[0]);
  const isShown = (code: string): boolean => source.episodes.some((episode) => episode.code === code);
  const reach = BESIDE_EVENT_SECONDS * source.sampleRateHz;
  const events = (source.events ?? []).filter((sample) =>
    source.episodes.some((each) => each.startSample < sample + reach && each.endSample > sample - reach),
  );
  return [
    ...first('FIRST'),
    ...STRIP_KINDS_BY_GRAVITY.flatMap(first),
    ...(isShown('VT') ? [] : first('V')),
    ...(isShown('SVTA') ? [] : first('S')),
    ...(isShown('TACHY') ? [] : first('FASTEST')),
    ...(isShown('BRADY') ? [] : first('SLOWEST')),
    ...events.flatMap((sample) => stripOf('EVENT', placeAt(source, sample))),
  ].slice(0, MOST_STRIPS);
}

/** A strip that shows what is no more there as it was called when it was chosen. */
const BY_HAND = 'HAND';

/**
 * What a strip shows as things stand: its kind, where an episode or a beat of it lies there, else that somebody chose it.
 * @param episodes that nobody has rejected
 */
export function shownOn(
  { kind, startSample }: Pick<ChosenStrip, 'kind' | 'startSample'>,
  episodes: readonly Episode[],
  { samples, labels }: LabelledBeats,
  sampleRateHz: number,
): { readonly kind: string; readonly episode?: Episode } {
  const end = startSample + STRIP_SECONDS * sampleRateHz;
  if (isEpisodeKind(kind)) {
    const episode = episodes.find(
      (each) => each.code === kind && each.startSample < end && each.endSample >= startSample,
    );
    return episode === undefined ? { kind: BY_HAND } : { kind, episode };
  }
  if (kind !== 'V' && kind !== 'S') return { kind };
  const letter = kind.charCodeAt(0);
  const [first, behind] = [firstFrom(samples, startSample), firstFrom(samples, end)];
  return labels.subarray(first, behind).includes(letter) ? { kind } : { kind: BY_HAND };
}

/** How many there are of a kind: `34`, or `200+` where the list of them was cut. */
export function countOfKind(episodes: readonly Episode[], kind: string): string {
  const count = episodes.filter(({ code }) => code === kind).length;
  return count < MOST_OF_A_KIND ? String(count) : `${MOST_OF_A_KIND}+`;
}
