// What rules are asked about: an unremarkable recording of ten seconds. Tests change what they are about.

import { USUAL_ORDER } from '../../main/analysis/electrodes/electrode-order.ts';
import { ectopyPatterns } from '../../main/analysis/rhythm/ectopy-patterns.ts';
import type { Facts } from '../../main/analysis/rules/facts.ts';

export const USUAL_FACTS: Facts = {
  time: { sampleRateHz: 500, sampleCount: 5000, gaps: [] },
  leads: ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II'],
  base: 'N',
  beatOrigin: undefined,
  isTachycardiaOfUnknownWidth: false,
  sinus: [[0, 5000]],
  flutterPerMinute: undefined,
  avConduction: undefined,
  slowRuns: [],
  supraventricularRuns: [],
  scatter: 0.02,
  beats: Array.from({ length: 10 }, (_, i) => ({ sample: 250 + 500 * i, label: 'N' as const })),
  patterns: ectopyPatterns([], { sampleRateHz: 500, sampleCount: 5000, gaps: [] }),
  deflections: new Map(),
  leadMeasurements: new Map(),
  isScaleAssumed: false,
  rejected: new Set(),
  pWaves: { share: 1, coherence: 0.9 },
  pauses: [],
  runs: [],
  atrialFibrillation: [],
  ventricularFibrillation: [],
  asystole: [],
  unread: [],
  secondP: undefined,
  learned: undefined,
  electrodes: { spikes: [], isPaced: false, hum: undefined },
  electrodeOrder: USUAL_ORDER,
  measurements: {
    heartRateBpm: 60,
    prMs: 160,
    qrsMs: 90,
    qtMs: 400,
    qtcBazettMs: 400,
    qtcFridericiaMs: 400,
    qrsAxisDeg: 50,
  },
  quality: { leads: [], grade: 'good' },
  gender: undefined,
  ageYears: 50,
};
