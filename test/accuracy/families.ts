// How few families the beats of a recording are in, and how pure: the share of beats whose family has mostly their own reference label.
// `node test/accuracy/families.ts`; the figure of the check pile is that of recordings from which no class was learned.

import { basename, join } from 'node:path';
import { analyse } from '../../main/analysis/analyse.ts';
import type { Beat } from '../../shared/analysis-result.ts';
import { firstFrom } from '../../shared/signal/first-from.ts';
import { recordingFrom } from '../support/test-data.ts';
import { DS1, ds1Path, recordsIn } from './databases.ts';
import { isChecked } from './piles.ts';
import { type ReferenceBeat, readReference } from './reference.ts';
import { secondCorpus } from './second-corpus.ts';

/** A beat of the reference that is so near is the same one (EC57). */
const SAME_BEAT_SECONDS = 0.15;

interface Purity {
  readonly families: number;
  readonly beats: number;
  readonly pure: number;
}

function nearestTo(beats: readonly Beat[], places: readonly number[], sample: number): Beat | undefined {
  const at = firstFrom(places, sample);
  const [before, behind] = [beats[at - 1], beats[at]];
  if (before === undefined || behind === undefined) return before ?? behind;
  return sample - before.sample < behind.sample - sample ? before : behind;
}

/** @param reference beats with the labels that cardiologists gave them */
export function purityOf(
  beats: readonly Beat[],
  reference: readonly ReferenceBeat[],
  sampleRateHz: number,
): Purity {
  const places = beats.map(({ sample }) => sample);
  const matched = reference.flatMap(({ sample, label }) => {
    const beat = nearestTo(beats, places, sample);
    const isSame = beat !== undefined && Math.abs(beat.sample - sample) <= SAME_BEAT_SECONDS * sampleRateHz;
    return isSame && beat.family !== undefined ? [{ family: beat.family, label }] : [];
  });
  const byFamily = Map.groupBy(matched, ({ family }) => family);
  const pure = [...byFamily.values()].reduce((sum, own) => {
    const counts = Map.groupBy(own, ({ label }) => label);
    return sum + Math.max(...[...counts.values()].map((each) => each.length));
  }, 0);
  const families = new Set(beats.flatMap(({ family }) => family ?? [])).size;
  return { families, beats: matched.length, pure };
}

function measure(database: string, paths: readonly string[]): void {
  const all: { readonly isChecked: boolean; readonly purity: Purity }[] = [];
  for (const path of paths) {
    const { beats, recording } = analyse(recordingFrom(`${path}.hea`));
    const reference = readReference(`${path}.atr`, recording.samples);
    const purity = purityOf(beats, reference.beats, recording.sampleRateHz);
    const clusters = new Set(beats.flatMap(({ cluster }) => cluster ?? [])).size;
    all.push({ isChecked: isChecked(database, basename(path)), purity });
    say(basename(path), purity, `${clusters} shapes`);
  }
  const total = (those: readonly { readonly purity: Purity }[]): Purity => ({
    families: Math.max(0, ...those.map(({ purity }) => purity.families)),
    beats: those.reduce((sum, { purity }) => sum + purity.beats, 0),
    pure: those.reduce((sum, { purity }) => sum + purity.pure, 0),
  });
  say(`${database}, all`, total(all), 'at most');
  say(`${database}, check pile`, total(all.filter((each) => each.isChecked)), 'at most');
}

const say = (name: string, { families, beats, pure }: Purity, more: string): void =>
  void process.stdout.write(
    `${name.padEnd(20)} ${String(families).padStart(3)} families  ${((100 * pure) / beats).toFixed(2)} % of ${beats} beats  ${more}\n`,
  );

if (import.meta.main) {
  measure(
    'mitdb',
    DS1.map((name) => ds1Path(name) as string),
  );
  measure('svdb', recordsIn(join(secondCorpus('svdb') as string, 'svdb')));
}
