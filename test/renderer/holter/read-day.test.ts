// A day as the page reads it: classes, families, episodes and questions under corrections.

import { describe, expect, test } from 'vitest';
import type { Day } from '../../../renderer/screens/holter/model/day.ts';
import { questionsOf } from '../../../renderer/screens/holter/model/questions.ts';
import { type DayReading, readDay } from '../../../renderer/screens/holter/model/read-day.ts';
import type { Episode } from '../../../shared/analysis-result.ts';
import type { Correction } from '../../../shared/review/corrections.ts';

const RATE_HZ = 100;

interface MadeBeat {
  readonly label: string;
  readonly family: number;
  readonly next?: string;
}

/** A beat a second, the first at 1 s. */
function dayOfBeats(beats: readonly MadeBeat[], episodes: readonly Episode[] = []): Day {
  const picture = { beats: 1, density: [], meanUv: [] };
  return {
    taskId: 1,
    carried: 0,
    sampleRateHz: RATE_HZ,
    samples: RATE_HZ * (beats.length + 2),
    leads: ['II'],
    beats: {
      samples: Uint32Array.from(beats, (_, i) => RATE_HZ * (i + 1)),
      labels: Uint8Array.from(beats, ({ label }) => label.charCodeAt(0)),
    },
    familyOf: Int32Array.from(beats, ({ family }) => family),
    nextLikely: beats.map(({ next = '-' }) => next).join(''),
    likeness: new Uint8Array(beats.length).fill(95),
    pictures: new Map([...new Set(beats.map(({ family }) => family))].map((family) => [family, picture])),
    pictureLeads: ['II'],
    cellMv: 0.04,
    rhythms: [],
    episodes,
    unknown: [],
    holter: undefined,
    isPaced: false,
    isFibrillationAssessed: true,
    arePausesAssessed: true,
    isEctopyAssessed: true,
    uncalibrated: new Set(),
  };
}

/** `NNVN`: N are of family 0, V of 1, S of 2. */
const dayOf = (letters: string, episodes?: readonly Episode[]): Day =>
  dayOfBeats(
    [...letters].map((label) => ({ label, family: 'NVS'.indexOf(label) })),
    episodes,
  );
const at = (beat: number): number => RATE_HZ * (beat + 1);
const letters = ({ beats }: DayReading): string => String.fromCharCode(...beats.labels);
const names = ({ families }: DayReading): Record<string, number> =>
  Object.fromEntries(families.map(({ name, beats }) => [name, beats.length]));

const episode = (code: Episode['code'], from: number, to: number, isBest = true): Episode => ({
  code,
  startSample: at(from),
  endSample: at(to),
  strip: [0, 1000],
  isBest,
});

describe('classes', () => {
  test('a family is named as a whole, and a beat that has a class of its own keeps it', () => {
    const day = dayOf('NVNVNV');
    expect(letters(readDay(day, [{ kind: 'families', samples: [at(1)], label: 'S' }]))).toBe('NSNSNS');
    const own: Correction = { kind: 'beats', samples: [at(3)], label: 'F' };
    const all: Correction = { kind: 'families', samples: [at(1)], label: 'S' };
    expect(letters(readDay(day, [own, all]))).toBe('NSNFNS');
    expect(letters(readDay(day, [all, own]))).toBe('NSNFNS');
  });

  test('without a correction, all is as it was found', () => {
    const day = dayOf('NVNVNV');
    const all: Correction = { kind: 'families', samples: [at(1)], label: 'S' };
    readDay(day, [all]);
    expect(letters(readDay(day, []))).toBe('NVNVNV');
  });

  test('a class that a beat had alone when it was approved stays, whatever its family is called later', () => {
    const day = { ...dayOf('NFNVNV'), carried: 2 };
    const found = { ...day, familyOf: Int32Array.from([0, 1, 0, 1, 0, 1]) };
    const own: Correction = { kind: 'beats', samples: [at(1)], label: 'F' };
    // What was said of a family then is in the classes that were approved.
    const then: Correction = { kind: 'families', samples: [at(0)], label: 'N' };
    const now: Correction = { kind: 'families', samples: [at(3)], label: 'S' };
    expect(letters(readDay(found, [own, then]))).toBe('NFNVNV');
    expect(letters(readDay(found, [own, then, now]))).toBe('NFNSNS');
  });

  test('a family is named by a beat that was removed as well', () => {
    const removed: Correction = { kind: 'beatRemoved', sample: at(1) };
    const all: Correction = { kind: 'families', samples: [at(1)], label: 'S' };
    expect(letters(readDay(dayOf('NVNVNV'), [removed, all]))).toBe('NNSNS');
  });

  test('a place that lies beside a beat means it, one that lies between two means none', () => {
    const day = dayOf('NVN');
    expect(letters(readDay(day, [{ kind: 'beats', samples: [at(1) + 10], label: 'S' }]))).toBe('NSN');
    expect(letters(readDay(day, [{ kind: 'beats', samples: [at(1) + 50], label: 'S' }]))).toBe('NVN');
  });

  test('beats that are added and removed', () => {
    const added: Correction = { kind: 'beatAdded', sample: at(0) + 50, label: 'V' };
    const removed: Correction = { kind: 'beatRemoved', sample: at(2) };
    const reading = readDay(dayOf('NVN'), [added, removed]);
    expect(letters(reading)).toBe('NVV');
    expect([...reading.beats.samples]).toEqual([at(0), at(0) + 50, at(1)]);
  });
});

describe('families', () => {
  test('have names by their class, and get a new one with a new class', () => {
    const day = dayOf('NNVS');
    expect(names(readDay(day, []))).toEqual({ Na: 2, Va: 1, Sa: 1 });
    const says = (label: 'S' | 'V' | 'N'): Correction => ({ kind: 'families', samples: [at(2)], label });
    expect(names(readDay(day, [says('S')]))).toEqual({ Na: 2, Sb: 1, Sa: 1 });
    // A name that was given is never given again.
    expect(names(readDay(day, [says('S'), says('N')]))).toEqual({ Na: 2, Nb: 1, Sa: 1 });
    expect(names(readDay(day, [says('S'), says('V')]))).toEqual({ Na: 2, Vb: 1, Sa: 1 });
  });

  test('merged, they are one with the name of the first', () => {
    const merged: Correction = { kind: 'familiesMerged', samples: [at(2), at(3)] };
    const reading = readDay(dayOf('NNVS'), [merged]);
    expect(names(reading)).toEqual({ Na: 2, Va: 2 });
    expect(reading.families.find(({ name }) => name === 'Va')?.whole).toEqual([1, 2]);
  });

  test('what is divided off is one of its own, and what is said of the others leaves it alone', () => {
    const divided: Correction = { kind: 'familyDivided', samples: [at(3), at(5)], label: 'V' };
    const day = dayOf('NVNVNV');
    const reading = readDay(day, [divided]);
    expect(names(reading)).toEqual({ Na: 3, Va: 1, Vb: 2 });
    expect(reading.families.find(({ name }) => name === 'Va')?.whole).toBeUndefined();
    const others: Correction = { kind: 'families', samples: [at(1)], label: 'N' };
    expect(letters(readDay(day, [divided, others]))).toBe('NNNVNV');
    const own: Correction = { kind: 'beats', samples: [at(3), at(5)], label: 'S' };
    expect(names(readDay(day, [divided, own]))).toEqual({ Na: 3, Va: 1, Sa: 2 });
  });
});

describe('episodes', () => {
  test('rejected ones stay in the list, and count no more', () => {
    const day = dayOf('NNNNNNNN', [episode('AFIB', 1, 4), episode('PAUSE', 5, 6)]);
    const rejected = (code: 'AFIB' | 'PAUSE', from: number, to: number): Correction => ({
      kind: 'episodeRejected',
      code,
      startSample: at(from),
      endSample: at(to),
    });
    const reading = readDay(day, [rejected('AFIB', 1, 4), rejected('PAUSE', 5, 6)]);
    expect(reading.episodes.map(({ state }) => state)).toEqual(['rejected', 'rejected']);
    expect([reading.fibrillation, reading.pauses]).toEqual([[], []]);
    expect(reading.unknown).toEqual([[at(5), at(6)]]);
  });

  test('moved ones begin and end elsewhere', () => {
    const day = dayOf('NNNNNNNN', [episode('AFIB', 1, 4)]);
    const moved: Correction = {
      kind: 'episodeMoved',
      code: 'AFIB',
      startSample: at(1),
      endSample: at(4),
      toStartSample: at(2),
      toEndSample: at(6),
    };
    const { episodes, fibrillation } = readDay(day, [moved]);
    expect(fibrillation).toEqual([[at(2), at(6)]]);
    expect(episodes[0]).toMatchObject({ state: 'moved', beats: 5, isBest: true });
  });

  test('a run of beats that are named ventricular is one, and one that is named otherwise is none', () => {
    const fast = (text: string): Day => {
      const day = dayOf(text, text.includes('VVV') ? [episode('VT', 2, 4)] : []);
      return { ...day, sampleRateHz: 2 * RATE_HZ };
    };
    const run: Correction = { kind: 'beats', samples: [at(2), at(3), at(4)], label: 'V' };
    expect(readDay(fast('NNNNNN'), [run]).episodes).toMatchObject([
      { code: 'VT', state: 'run', startSample: at(2), endSample: at(4), beats: 3 },
    ]);
    expect(readDay(fast('NNVVVN'), []).episodes).toMatchObject([{ code: 'VT', state: 'found' }]);
    const none: Correction = { kind: 'beats', samples: [at(3)], label: 'N' };
    expect(readDay(fast('NNVVVN'), [none]).episodes).toEqual([]);
  });

  const rhythm = (code: 'N' | 'AFIB', from: number, to: number): Correction => ({
    kind: 'rhythm',
    code,
    startSample: at(from),
    endSample: at(to),
  });

  test('what is drawn replaces what it lies over, and nothing beside it', () => {
    const day = dayOf('N'.repeat(40), [
      episode('AFIB', 2, 30),
      episode('PAUSE', 5, 8),
      episode('BRADY', 3, 9),
    ]);
    const beyond = readDay(day, [rhythm('AFIB', 28, 35)]);
    expect(beyond.fibrillation).toEqual([[at(2), at(35)]]);
    const within = readDay(day, [rhythm('N', 10, 15)]);
    expect(within.fibrillation).toEqual([
      [at(2), at(10)],
      [at(15), at(30)],
    ]);
    expect(within.episodes.map(({ code }) => code)).toEqual(expect.arrayContaining(['PAUSE', 'BRADY']));
  });

  test('fibrillation says nothing of a run in it', () => {
    const day = dayOf('NNVVVNNN', [episode('VT', 2, 4)]);
    const { episodes } = readDay({ ...day, sampleRateHz: 2 * RATE_HZ }, [rhythm('AFIB', 0, 7)]);
    expect(episodes.map(({ code }) => code).sort()).toEqual(['AFIB', 'VT']);
  });

  test('a run that came with its name is rejected like another; one that is none any more is gone, accepted or not', () => {
    const fast = (text: string, episodes: readonly Episode[] = []): Day => ({
      ...dayOf(text, episodes),
      sampleRateHz: 2 * RATE_HZ,
    });
    const run: Correction = { kind: 'beats', samples: [at(2), at(3), at(4)], label: 'V' };
    const place = { code: 'VT', startSample: at(2), endSample: at(4) } as const;
    expect(readDay(fast('NNNNNN'), [run, { kind: 'episodeRejected', ...place }]).episodes).toMatchObject([
      { code: 'VT', state: 'rejected' },
    ]);
    const none: Correction = { kind: 'beats', samples: [at(3)], label: 'N' };
    const day = fast('NNVVVN', [episode('VT', 2, 4)]);
    expect(readDay(day, [{ kind: 'episodeAccepted', ...place }, none]).episodes).toEqual([]);
    expect(readDay({ ...fast('NNNNNN'), isPaced: true }, [run]).episodes).toEqual([]);
  });

  test('a pause begins where a beat is removed, and ends where one is added', () => {
    const removed: Correction = { kind: 'beatRemoved', sample: at(2) };
    const long = { ...dayOf('NNNNNN'), sampleRateHz: RATE_HZ / 2 };
    expect(readDay(long, [removed]).pauses).toEqual([[at(1), at(3)]]);
    const pause = dayOf('NNNNNN', [episode('PAUSE', 1, 4)]);
    const added: Correction = { kind: 'beatAdded', sample: at(2) + 50, label: 'N' };
    expect(readDay(pause, [added]).pauses).toEqual([]);
  });
});

describe('questions', () => {
  const beat = (label: string, family: number, next = '-'): MadeBeat => ({ label, family, next });
  /** Three of V that could be S, three of N that could be S, one of N that could be V, among 40 others. */
  const unsure: MadeBeat[] = [
    ...[1, 3, 5].flatMap(() => [beat('N', 0), beat('V', 1, 'S')]),
    ...[7, 9, 11, 12].flatMap(() => [beat('N', 0), beat('N', 0, 'S')]),
    beat('N', 0, 'V'),
    ...Array.from({ length: 40 }, () => beat('N', 0)),
  ];

  test('beats of a family that could be of another class are one question, those with most beats first', () => {
    const { questions, leftBeats } = questionsOf(readDay(dayOfBeats(unsure), []));
    expect(questions).toMatchObject([
      { kind: 'beats', label: 'N', next: 'S', beats: [7, 9, 11, 13] },
      { kind: 'beats', label: 'V', next: 'S', beats: [1, 3, 5] },
    ]);
    // Nobody is asked about so few.
    expect(leftBeats).toBe(1);
  });

  test('an answer that carries the ventricular beats over a limit comes first, however few they are', () => {
    const day = dayOfBeats([
      ...Array.from({ length: 3 }, () => beat('V', 1)),
      ...Array.from({ length: 4 }, () => beat('N', 0, 'S')),
      beat('N', 0, 'V'),
      ...Array.from({ length: 26 }, () => beat('N', 0)),
    ]);
    expect(questionsOf(readDay(day, [])).questions).toMatchObject([{ next: 'V' }, { next: 'S' }]);
  });

  test('an answer ends it, for its beats alone', () => {
    const answer: Correction = { kind: 'beats', samples: [at(1), at(3), at(5)], label: 'V' };
    const reading = readDay(dayOfBeats(unsure), [answer]);
    expect(questionsOf(reading).questions).toMatchObject([{ label: 'N', next: 'S' }]);
    expect(letters(reading).slice(0, 6)).toBe('NVNVNV');
  });

  test('in fibrillation nobody is asked whether a beat comes early', () => {
    const day = dayOfBeats(unsure, [episode('AFIB', 0, 50)]);
    const asked = questionsOf(readDay(day, [])).questions.map(({ key }) => key.split(' ')[0]);
    expect(asked).toEqual(['AFIB', 'beats']);
  });

  test('the longest pause is asked about, and those that are nearly three seconds', () => {
    const pause = (from: number, ms: number, isBest: boolean): Episode => ({
      ...episode('PAUSE', from, from, isBest),
      endSample: at(from) + (ms * RATE_HZ) / 1000,
    });
    const day = dayOf('N'.repeat(40), [pause(2, 2500, false), pause(10, 2900, false), pause(20, 4000, true)]);
    const asked = (changes: readonly Correction[]): number[] =>
      questionsOf(readDay(day, changes)).questions.map((question) =>
        question.kind === 'episode' ? question.episode.startSample : 0,
      );
    expect(asked([]).sort((a, b) => a - b)).toEqual([at(10), at(20)]);
    const { startSample, endSample } = pause(20, 4000, true);
    expect(asked([{ kind: 'episodeAccepted', code: 'PAUSE', startSample, endSample }])).toEqual([at(10)]);
  });
});
