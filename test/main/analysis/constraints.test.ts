import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';

import { constrainMarks, outsideDrawn } from '../../../main/analysis/constraints.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import type { Constraints } from '../../../shared/review/constraints.ts';
import { NOISE_KINDS, noisePiece } from '../../support/noise-pieces.ts';
import { simulatedPatient } from '../../support/simulated-patient.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

const sinus = toRecording(twelveLeads());
const premature = toRecording(simulatedPatient({ rhythm: 'pvc', seconds: 30 }));
const [plainSinus, plainPremature] = [analyse(sinus), analyse(premature)];

const codes = ({ statements }: AnalysisResult): string[] => statements.map(({ code }) => code);
const samples = ({ beats }: AnalysisResult): number[] => beats.map(({ sample }) => sample);
const labelAt = ({ beats }: AnalysisResult, sample: number): string | undefined =>
  beats.find((beat) => beat.sample === sample)?.label;

test('without constraints nothing changes', () => {
  expect(analyse(sinus, { constraints: {} })).toEqual(plainSinus);
});

test('the same constraints give the same bytes', () => {
  const constraints: Constraints = { noBeats: [plainSinus.beats[4]!.sample], marksMs: { pOnset: -170 } };
  expect(JSON.stringify(analyse(sinus, { constraints }))).toBe(
    JSON.stringify(analyse(sinus, { constraints })),
  );
});

describe('beats', () => {
  const place = plainSinus.beats[4]!.sample;

  test('one that a person removed is gone, and the interval counts as it is then', () => {
    const result = analyse(sinus, { constraints: { noBeats: [place + 20] } });
    expect(samples(result)).toEqual(samples(plainSinus).filter((sample) => sample !== place));
    expect(result.measurements.rrMaxMs).toBeGreaterThan(1.8 * plainSinus.measurements.rrMs!);
  });

  test('one that was moved lies where a person put it', () => {
    const result = analyse(sinus, { constraints: { beats: [{ sample: place + 30 }] } });
    expect(samples(result)).toEqual(
      samples(plainSinus).map((sample) => (sample === place ? place + 30 : sample)),
    );
  });

  test('one that was added has the class that was given', () => {
    const added = Math.round((place + plainSinus.beats[5]!.sample) / 2);
    const result = analyse(sinus, { constraints: { beats: [{ sample: added, label: 'V' }] } });
    expect(result.beats).toHaveLength(plainSinus.beats.length + 1);
    expect(result.beats.find(({ sample }) => sample === added)).toMatchObject({
      label: 'V',
      reason: 'person',
    });
    expect(codes(result)).toContain('ECT-PVC');
  });

  test('one class for all beats of a shape', () => {
    const ventricular = plainPremature.beats.filter(({ label }) => label === 'V');
    expect(ventricular.length).toBeGreaterThan(1);
    const result = analyse(premature, {
      constraints: { shapes: [{ sample: ventricular[0]!.sample, label: 'N' }] },
    });
    for (const { sample } of ventricular) expect(labelAt(result, sample)).toBe('N');
    expect(codes(result).filter((code) => code.startsWith('ECT-PVC'))).toEqual([]);
  });

  test('a class for one beat goes before that for its shape', () => {
    const [first, second] = plainPremature.beats.filter(({ label }) => label === 'V');
    const result = analyse(premature, {
      constraints: {
        shapes: [{ sample: first!.sample, label: 'N' }],
        beats: [{ sample: second!.sample, label: 'V' }],
      },
    });
    expect(labelAt(result, first!.sample)).toBe('N');
    expect(labelAt(result, second!.sample)).toBe('V');
  });
});

describe('marks of the median beat', () => {
  test('what a person marked is measured', () => {
    const { measurements } = analyse(sinus, {
      constraints: { marksMs: { pOnset: -240, qrsOnset: -40, qrsOffset: 60, tEnd: 380 } },
    });
    expect(measurements).toMatchObject({ prMs: 200, qrsMs: 100, qtMs: 420 });
  });

  test('without a P wave there is no PR', () => {
    const { measurements } = analyse(sinus, { constraints: { marksMs: { pOnset: null, pOffset: null } } });
    expect(measurements.prMs).toBeUndefined();
    expect(measurements.qrsMs).toBe(plainSinus.measurements.qrsMs);
  });
});

describe('episodes', () => {
  const fibrillating = toRecording(simulatedPatient({ rhythm: 'vf', seconds: 20 }));
  const whole = { startSample: 0, endSample: 20 * 500 };

  test('fibrillation of the ventricles that a person calls something else is not said', () => {
    expect(codes(analyse(fibrillating))).toContain('RHY-VF');
    const result = analyse(fibrillating, { constraints: { episodes: [{ ...whole, code: 'UNK' }] } });
    expect(codes(result)).not.toContain('RHY-VF');
    expect(result.rhythms.some(({ code }) => code === 'VF')).toBe(false);
  });

  test('fibrillation that a person draws is said, and holds no beats', () => {
    const drawn = { startSample: 3000, endSample: 7000, code: 'VF' } as const;
    const result = analyse(sinus, { constraints: { episodes: [drawn] } });
    expect(codes(result)).toContain('RHY-VF');
    expect(result.rhythms).toContainEqual(drawn);
    expect(samples(result).filter((sample) => sample >= 3000 && sample < 7000)).toEqual([]);
  });

  test('what is drawn over half of the recording is its rhythm', () => {
    const result = analyse(sinus, { constraints: { episodes: [{ ...whole, code: 'AFIB' }] } });
    expect(codes(result)).toContain('RHY-AFIB');
    expect(result.measurements.prMs).toBeUndefined();
    const back = analyse(sinus, { constraints: { episodes: [{ ...whole, code: 'N' }] } });
    expect(codes(back)).toContain('RHY-SINUS');
  });

  test('a base rhythm that is drawn over it does not silence fibrillation of the ventricles', () => {
    const result = analyse(fibrillating, { constraints: { episodes: [{ ...whole, code: 'AFIB' }] } });
    expect(codes(result)).toContain('RHY-VF');
    expect(result.severity).toBe('CRITICAL');
  });

  test('tachycardia that is drawn where no beats are to be found stays what it looks like', () => {
    const result = analyse(fibrillating, { constraints: { episodes: [{ ...whole, code: 'VT' }] } });
    expect(codes(result).some((code) => code === 'RHY-VF' || code === 'RHY-VT')).toBe(true);
    expect(result.severity).toBe('CRITICAL');
  });

  test('sinus rhythm that is drawn over most of it does not silence the fibrillation beside it', () => {
    const episodes = [
      { startSample: 0, endSample: 6000, code: 'N' },
      { startSample: 6000, endSample: 10_000, code: 'AFIB' },
    ] as const;
    expect(codes(analyse(sinus, { constraints: { episodes } }))).toContain('RHY-AFIBPART');
  });

  test('a beat that a person saw amid fibrillation is there', () => {
    const sample = 15 * 500;
    const result = analyse(fibrillating, { constraints: { beats: [{ sample, label: 'V' }] } });
    expect(labelAt(result, sample)).toBe('V');
  });

  test('who draws a rhythm in noise speaks of the beats there, and of no others', () => {
    let beatsThere = 0;
    for (let n = 0; n < 6; n++) {
      const { ecg } = noisePiece(NOISE_KINDS.indexOf('white') + n * NOISE_KINDS.length);
      const endSample = Math.round(0.4 * ecg.samplesUv[0]!.length);
      const { beats } = analyse(toRecording(ecg), {
        constraints: { episodes: [{ startSample: 0, endSample, code: 'N' }] },
      });
      beatsThere += beats.length;
      expect(beats.filter(({ sample }) => sample >= endSample)).toEqual([]);
    }
    expect(beatsThere).toBeGreaterThan(10);
  });

  test('a run of tachycardia is counted by its beats', () => {
    const drawn = { startSample: 3000, endSample: 7000, code: 'VT' } as const;
    const result = analyse(sinus, { constraints: { episodes: [drawn] } });
    const within = samples(plainSinus).filter((sample) => sample >= 3000 && sample < 7000);
    expect(result.statements.find(({ code }) => code === 'RHY-NSVT')?.values).toMatchObject({
      count: within.length,
    });
  });

  test('ranges give way to what is drawn over them', () => {
    const episodes = [
      { startSample: 10, endSample: 20, code: 'N' },
      { startSample: 40, endSample: 60, code: 'UNK' },
    ] as const;
    const found = [
      [0, 50],
      [55, 58],
      [59, 70],
    ] as const;
    expect(outsideDrawn(found, { episodes })).toEqual([
      [0, 10],
      [20, 40],
      [60, 70],
    ]);
  });
});

test('the axis of P is measured up to where a person put the end of P', () => {
  const marks = { isTTrusted: false, pOnset: 10, pOffset: 40, pOffsetOfMost: 36 };
  expect(constrainMarks(marks, { marksMs: { pOffset: -140 } }, 100, 500)).toEqual({
    isTTrusted: false,
    pOnset: 10,
    pOffset: 30,
  });
  expect(constrainMarks(marks, { marksMs: { tEnd: null } }, 100, 500)).toEqual(marks);
});
