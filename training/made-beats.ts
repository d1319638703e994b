// Beats that are known by construction: of what few recordings with marked beats have, and of what must not pass for early beats.

import type { SyntheticEcg } from '../main/signal/synthetic/synthetic-ecg.ts';
import type { LeadCode } from '../shared/signal/lead.ts';
import {
  breathing,
  completeBlock,
  earlyAtrialBeats,
  type MadeOptions,
  multiformBigeminy,
  twoToOneBlock,
} from '../test/support/made-rhythms.ts';
import { simulatedPatient } from '../test/support/simulated-patient.ts';
import { twelveLeads } from '../test/support/synthetic-recording.ts';

export interface MadeBeats {
  readonly name: string;
  readonly ecg: SyntheticEcg;
}

const LEADS: readonly (readonly LeadCode[] | undefined)[] = [
  ['MDC_ECG_LEAD_I'],
  ['MDC_ECG_LEAD_II'],
  ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II'],
  undefined,
];

const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step + 1e-9) + 1 }, (_, i) => from + i * step);

/** Rhythms of the simulated heart whose beats are all conducted, or marked. */
const SIMULATED = [
  'sinus',
  'afib',
  'pvc',
  'avb1',
  'mobitz1',
  'mobitz2',
  'avb3',
  'pause',
  'lbbb',
  'rbbb',
] as const;

/** Early beats by their numbers, alone, in turn and in a row. */
const EARLY = [[6], [4, 11], [5, 6, 7], [3, 5, 7, 9, 11], [4, 7, 10, 13]] as const;

export function madeBeats(): MadeBeats[] {
  return LEADS.flatMap((leads, group) => {
    let seed = 2000 + 100 * group;
    const options = (seconds: number): MadeOptions => ({
      ...(leads !== undefined && { leads }),
      seconds,
      noiseUv: 6 + 8 * (seed % 4),
      seed: seed++,
    });
    const made = (name: string, ecg: SyntheticEcg): MadeBeats => ({
      name: `${name} ${leads?.join(' ') ?? 'twelve leads'}`,
      ecg,
    });
    return [
      ...steps(54, 96, 7).flatMap((bpm) =>
        steps(0.08, 0.32, 0.06).map((depth) =>
          made(`breathing ${bpm} ${depth}`, breathing(bpm, depth, 3 + (bpm % 4), options(30))),
        ),
      ),
      ...steps(54, 96, 14).flatMap((bpm) =>
        EARLY.flatMap((early) =>
          [0.2, 0.3, 0.4].map((share) =>
            made(`early ${bpm} ${early} ${share}`, earlyAtrialBeats(bpm, early, options(20), share)),
          ),
        ),
      ),
      ...[10, 20].map((seconds) => made(`three shapes ${seconds}`, multiformBigeminy(options(seconds)))),
      ...steps(55, 90, 5).map((heartRateBpm) => {
        const { noiseUv = 6, seed: own = 1 } = options(0);
        const ecg = { rhythm: 'pvc', heartRateBpm, durationSeconds: 30, noiseUv, seed: own } as const;
        return made(
          `every sixth ${heartRateBpm}`,
          twelveLeads({ ...ecg, ...(leads !== undefined && { leads }) }),
        );
      }),
      ...SIMULATED.flatMap((rhythm) =>
        steps(55, 105, 25).map((heartRateBpm, i) => {
          const own = {
            rhythm,
            heartRateBpm,
            seconds: 10 + 10 * i,
            noise: i === 0 ? 'clean' : 'normal',
          } as const;
          const ecg = simulatedPatient({ ...own, seed: seed++, ...(leads !== undefined && { leads }) });
          return made(`simulated ${rhythm} ${heartRateBpm}`, ecg);
        }),
      ),
      ...steps(55, 105, 10).flatMap((bpm) => [
        made(`2:1 ${bpm}`, twoToOneBlock(bpm, options(20))),
        made(`complete ${bpm}`, completeBlock(bpm, 30 + bpm / 5, options(20))),
      ]),
    ];
  });
}
