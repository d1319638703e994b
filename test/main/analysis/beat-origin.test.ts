// Where beats come from whose rhythm has no other name.

import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import type { SyntheticEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import { ectopicAtrial, flutter, junctional } from '../../support/made-rhythms.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

const rhythmOf = (ecg: SyntheticEcg): string[] =>
  analyse(toRecording(ecg))
    .statements.filter(({ code }) => code.startsWith('RHY-') || code === 'INT-HR')
    .map(({ text }) => text);

describe('regular narrow beats without P waves', () => {
  test.each([42, 50, 58])('are a junctional rhythm at %i/min', (bpm) => {
    const [text, ...others] = rhythmOf(junctional(bpm));
    expect(text).toMatch(/^Possible junctional rhythm, \d+\/min: regular narrow QRS, no P waves seen$/);
    expect(others.filter((other) => !other.startsWith('Heart rate'))).toEqual([]);
  });

  test.each([66, 85])('are an accelerated one at %i/min', (bpm) => {
    expect(rhythmOf(junctional(bpm))[0]).toMatch(/^Possible accelerated junctional rhythm, \d+\/min/);
  });

  test('are not named by one lead alone, which may not show P', () => {
    expect(rhythmOf(junctional(50, { leads: ['MDC_ECG_LEAD_II'] }))[0]).toMatch(/^Rhythm not determined/);
  });

  test('are none where they are wide, fast, or have flutter waves between them', () => {
    for (const ecg of [junctional(50, { beat: { qrsMs: 150 } }), junctional(130), flutter(280, 4)])
      expect(rhythmOf(ecg).filter((text) => text.includes('junctional'))).toEqual([]);
  });
});

describe('regular wide beats without P waves', () => {
  const wide = (bpm: number) => junctional(bpm, { beat: { qrsMs: 160, qtMs: 450 } });

  test.each([34, 48, 62, 75])('may be an escape, or paced without visible spikes, at %i/min', (bpm) => {
    expect(rhythmOf(wide(bpm))[0]).toMatch(
      /^Possible ventricular escape or paced rhythm, \d+\/min: regular wide QRS, no P waves seen$/,
    );
  });

  test('are as grave as their rate, and moderate at least', () => {
    const severityAt = (bpm: number) =>
      analyse(toRecording(wide(bpm))).statements.find(({ code }) => code === 'RHY-WIDE')?.severity;
    expect([34, 38, 62].map(severityAt)).toEqual(['CRITICAL', 'IMPORTANT', 'MODERATE']);
  });

  test('are neither called undetermined nor said to be conducted slowly', () => {
    const { statements, assessments } = analyse(toRecording(wide(62)));
    expect(statements.filter(({ code }) => code === 'RHY-UNDET' || code === 'CON-IVCD')).toEqual([]);
    expect(assessments.find(({ code }) => code === 'CON-IVCD')).toMatchObject({
      outcome: 'notAssessed',
      reason: 'rhythm',
    });
  });

  test('are none with P waves before them, whose rhythm is known', () => {
    const ecg = twelveLeads({ heartRateBpm: 70, beat: { qrsMs: 160, qtMs: 430 } });
    expect(rhythmOf(ecg).filter((text) => text.includes('escape'))).toEqual([]);
  });
});

test.each([55, 75, 95])(
  'P waves that run upwards are those of an ectopic atrial rhythm, at %i/min',
  (bpm) => {
    const [text] = rhythmOf(ectopicAtrial(bpm));
    expect(text).toMatch(/^Possible ectopic atrial rhythm, \d+\/min: P axis −\d+°$/);
  },
);
