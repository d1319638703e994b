// Which deflections are beats, and where they come from, on signals of which everything is known.

import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { gaussian, seededRandom } from '../../../main/signal/synthetic/random.ts';
import type { BeatLabel } from '../../../shared/analysis-result.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { breathing, earlyAtrialBeats, multiformBigeminy } from '../../support/made-rhythms.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

const FS = 500;
const ecg = twelveLeads({ durationSeconds: 60, noiseUv: 10 });
const marked = ecg.beats.map(({ sample }) => sample);
const at = (ms: number): number => Math.round((ms / 1000) * FS);
/** Every tenth beat, not near an end. */
const chosen = marked.filter((_, i) => i % 10 === 5 && i < marked.length - 3);

const labelsNear = (
  beats: readonly { sample: number; label: BeatLabel }[],
  samples: readonly number[],
): (BeatLabel | undefined)[] =>
  samples.map((sample) => beats.find((beat) => Math.abs(beat.sample - sample) < at(70))?.label);

test('bursts between the beats, as of muscles or a loose electrode, are none', () => {
  const places = chosen.map((sample) => sample + at(420));
  const { beats } = analyse(
    toRecording(ecg, (raw) => {
      for (const [n, place] of places.entries())
        for (let k = 0; k < at(60); k++)
          raw[place + k] =
            raw[place + k]! +
            Math.round(400 * Math.sin((k * (n + 3)) / 20) * Math.sin((Math.PI * k) / at(60)));
    }),
  );
  expect(labelsNear(beats, places)).toEqual(places.map(() => undefined));
  expect(Math.abs(beats.length - marked.length)).toBeLessThanOrEqual(1);
});

test('a beat of a tenth of the usual height is found where one is due', () => {
  const { beats } = analyse(
    toRecording(ecg, (raw) => {
      for (const sample of chosen)
        for (let k = -at(60); k <= at(60); k++) raw[sample + k] = Math.round(0.12 * raw[sample + k]!);
    }),
  );
  expect(labelsNear(beats, chosen)).not.toContain(undefined);
});

test('sharp P waves, a third of the QRS and a quarter of a second before it, are no beats', () => {
  const { beats } = analyse(
    toRecording(ecg, (raw) => {
      for (const sample of marked)
        for (let k = -at(30); k <= at(30); k++) {
          const place = sample - at(250) + k;
          if (place >= 0) raw[place] = raw[place]! + Math.round(350 * Math.cos((Math.PI * k) / at(60)));
        }
    }),
  );
  expect(beats.filter(({ sample }) => !marked.some((real) => Math.abs(real - sample) < at(70)))).toEqual([]);
  expect(Math.abs(beats.length - marked.length)).toBeLessThanOrEqual(1);
});

test.each([250, 360, 1000])('at %i Hz the same beats are found at the same times as at 500', (rateHz) => {
  const of = (sampleRateHz: number): number[] => {
    const recording = toRecording(twelveLeads({ sampleRateHz, durationSeconds: 30, seed: 4 }));
    return analyse(recording).beats.map(({ sample }) => sample / sampleRateHz);
  };
  const [found, usual] = [of(rateHz), of(500)];
  expect(found).toHaveLength(usual.length);
  for (const [i, seconds] of found.entries())
    expect(Math.abs(seconds - (usual[i] as number))).toBeLessThan(0.006);
});

test('a beat between two others that keep their time stays one, and is ventricular', () => {
  const places = chosen.map((sample) => sample + at(400));
  const { beats } = analyse(
    toRecording(ecg, (raw) => {
      for (const place of places)
        for (let k = -at(80); k <= at(80); k++) {
          const envelope = 0.5 * (1 + Math.cos((Math.PI * k) / at(80)));
          raw[place + k] = raw[place + k]! - Math.round(2500 * envelope * Math.cos((Math.PI * k) / at(70)));
        }
    }),
  );
  expect(labelsNear(beats, places)).toEqual(places.map(() => 'V'));
  expect(beats.filter(({ label }) => label === 'V').length).toBe(places.length);
});

/** The size of a beat of 180 ms without an edge. */
const WIDE_UV = 2500;

test('a wide ventricular beat of low frequency is found on twelve leads, though none is due', () => {
  const made = twelveLeads({ durationSeconds: 30, seed: 3 });
  const rate = made.sampleRateHz;
  const usual = analyse(toRecording(made)).beats.map(({ sample }) => sample);
  const places = [6, 14, 22].map((i) => Math.round(((usual[i] as number) + (usual[i + 1] as number)) / 2));
  const wide = toRecording(made, (raw) => {
    for (const place of places)
      for (let k = -Math.round(0.09 * rate); k <= 0.09 * rate; k++)
        raw[place + k] = raw[place + k]! + Math.round(WIDE_UV * Math.cos((Math.PI * k) / (0.18 * rate)) ** 2);
  });
  const { beats } = analyse(wide);
  expect(beats).toHaveLength(usual.length + places.length);
  for (const place of places)
    expect(beats.some(({ sample }) => Math.abs(sample - place) < 0.05 * rate)).toBe(true);
});

test.each([40, 60])('a tall and narrow T behind each beat of %i a minute is no beat', (heartRateBpm) => {
  const made = twelveLeads({ heartRateBpm, durationSeconds: 20, seed: 2 });
  const half = Math.round(0.08 * made.sampleRateHz);
  const { beats } = analyse(
    toRecording(made, (raw) => {
      for (const { sample } of made.beats)
        for (let k = -half; k <= half; k++)
          raw[sample + at(300) + k] =
            (raw[sample + at(300) + k] ?? 0) + Math.round(900 * Math.cos((Math.PI * k) / (2 * half)) ** 2);
    }),
  );
  expect(Math.abs(beats.length - made.beats.length)).toBeLessThanOrEqual(1);
});

test('a single early beat of a wholly other shape without P is ventricular, though no pause follows', () => {
  const place = marked[30]!;
  const { beats } = analyse(
    toRecording(ecg, (raw) => {
      for (let k = -at(300); k < -at(70); k++) raw[place + k] = 0;
      for (let k = -at(70); k <= at(120); k++) raw[place + k] = Math.round(-1.3 * raw[place + k]!);
      raw.copyWithin(place - at(180) - at(360), place - at(180));
    }),
  );
  expect(labelsNear(beats, [place - at(360)])).toEqual(['V']);
});

test('a very early beat of another shape without P is ventricular, though it is no larger and no pause follows', () => {
  const place = marked[30]!;
  const { beats } = analyse(
    toRecording(ecg, (raw, lead) => {
      const isTurned = STANDARD_LEADS.indexOf(lead) % 2 === 1;
      for (let k = -at(300); k < -at(70); k++) raw[place + k] = 0;
      if (isTurned)
        for (let k = -at(70); k <= at(120); k++) raw[place + k] = Math.round(-0.6 * raw[place + k]!);
      raw.copyWithin(place - at(180) - at(360), place - at(180));
    }),
  );
  expect(labelsNear(beats, [place - at(360)])).toEqual(['V']);
});

test('an early beat of the usual size that differs little is not ventricular for a pause alone', () => {
  const { beats } = analyse(toRecording(earlyAtrialBeats(72, [6], { seconds: 12, seed: 8 }, 0.3)));
  expect(beats.map(({ label }) => label).join('')).toMatch(/^N{6}SN+$/);
});

/** Takes a stretch before each chosen beat out of a lead, so that it comes early; what follows moves up. */
function hasten(raw: Int32Array, ms: number, isOtherP: boolean): void {
  for (const [n, place] of chosen.entries()) {
    const sample = place - n * at(ms);
    if (isOtherP) for (let k = -at(190); k < -at(50); k++) raw[sample + k] = -raw[sample + k]!;
    raw.copyWithin(sample - at(210) - at(ms), sample - at(210));
  }
}
const hastened = (ms: number): number[] => chosen.map((sample, n) => sample - (n + 1) * at(ms));

test('an early beat with another P wave comes from above the ventricles', () => {
  const { beats } = analyse(toRecording(ecg, (raw) => hasten(raw, 160, true)));
  expect(labelsNear(beats, hastened(160))).toEqual(chosen.map(() => 'S'));
  expect(beats.filter(({ label }) => label === 'V')).toEqual([]);
});

test.each([
  [60, 0.12, 4],
  [72, 0.3, 5],
  [88, 0.2, 3.5],
])('a rate of %i that swings with the breath by %d makes no premature beats', (bpm, depth, seconds) => {
  const { beats } = analyse(toRecording(breathing(bpm, depth, seconds, { seconds: 60, seed: 31 })));
  expect(beats.length).toBeGreaterThan(50);
  expect(beats.filter(({ label }) => label === 'S' || label === 'V')).toEqual([]);
});

test('what the signal begins and ends with is no beat', () => {
  const { beats, recording } = analyse(
    toRecording(ecg, (raw) => {
      for (let k = 0; k < at(10); k++) raw[raw.length - 1 - k] = 2000 - 10 * k;
    }),
  );
  expect(beats.at(-1)!.sample).toBeLessThan(recording.samples - at(60));
});

test('noise on all chest leads hides no beats that the limb leads show', () => {
  const short = twelveLeads({ durationSeconds: 10, noiseUv: 10 });
  const random = seededRandom(7);
  const noisy = {
    ...short,
    samplesUv: short.samplesUv.map((uv, lead) =>
      lead < 6 ? uv : uv.map((value) => value + 1500 * gaussian(random)),
    ),
  };
  const { beats } = analyse(toRecording(noisy));
  expect(
    labelsNear(
      beats,
      short.beats.slice(1, -1).map(({ sample }) => sample),
    ),
  ).not.toContain(undefined);
});

test('ectopic beats of three shapes, every other beat, are beats', () => {
  const { beats, statements } = analyse(toRecording(multiformBigeminy()));
  expect(beats.map(({ label }) => label).join('')).toMatch(/^V(NV){4}N$/);
  expect(statements.map(({ code }) => code)).toEqual(expect.arrayContaining(['ECT-BIGEM', 'ECT-MULTI']));
});

test('a single beat whose QRS, P and T are unlike the usual ones is ventricular, even in its time', () => {
  const place = marked[30]!;
  const { beats } = analyse(
    toRecording(ecg, (raw) => {
      for (let k = -at(300); k < -at(70); k++) raw[place + k] = 0;
      for (let k = -at(70); k <= at(400); k++) raw[place + k] = Math.round(-1.6 * raw[place + k]!);
    }),
  );
  expect(labelsNear(beats, [place])).toEqual(['V']);
  expect(beats.filter(({ label }) => label === 'V')).toHaveLength(1);
});

test('a wide beat between two others that keep their time is one on twelve leads, though smaller than they are', () => {
  const made = twelveLeads({ durationSeconds: 20, seed: 3, heartRateBpm: 55 });
  const [before, behind] = [made.beats[8]!.sample, made.beats[9]!.sample];
  const place = Math.round((before + behind) / 2) + at(60);
  const { beats } = analyse(
    toRecording(made, (raw, lead) => {
      const sign = ['V1', 'V2', 'AVR'].some((name) => lead.endsWith(name)) ? -1 : 1;
      for (let k = -at(60); k <= at(60); k++)
        raw[place + k] = raw[place + k]! + Math.round(sign * 640 * Math.cos((Math.PI * k) / at(120)) ** 2);
    }),
  );
  expect(labelsNear(beats, [place])).toEqual(['V']);
});
