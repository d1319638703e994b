// AV block of second and third degree, by P waves that are not conducted. Analysis reference, sections 8.4 and 11; the
// AV block of first degree is a long PR interval (`measurement-rules.ts`).

import type { StatementCode } from '../../../shared/findings/codes.ts';
import type { Severity } from '../../../shared/severity.ts';
import type { AvConductionKind } from '../rhythm/av-conduction.ts';
import { outside } from '../signal/time-base.ts';
import type { Facts } from './facts.ts';
import { ADULT, BEATS, NO_RUN, NOT_PACED, need } from './needs.ts';
import type { Rule } from './rule.ts';

/** A block is found, and is no other one; or sinus rhythm from first to last says that each P wave has its beat. */
const CONDUCTION_KNOWN = need(
  'rhythm',
  ({ avConduction, sinus, time }: Facts) =>
    avConduction !== undefined || outside([0, time.sampleCount], sinus).length === 0,
);

/** A stretch without a name may hold another block. */
const ALL_NAMED = need('rhythm', ({ avConduction }: Facts) => (avConduction?.unnamedSeconds ?? 0) === 0);

const BLOCKS: readonly (readonly [StatementCode, AvConductionKind, Severity])[] = [
  ['AVB-3', 'complete', 'CRITICAL'],
  ['AVB-ADV', 'advanced', 'CRITICAL'],
  ['AVB-21', 'twoToOne', 'IMPORTANT'],
  ['AVB-M2', 'mobitz2', 'IMPORTANT'],
  ['AVB-W', 'wenckebach', 'MODERATE'],
];

export const AV_BLOCK_CODES = BLOCKS.map(([code]) => code);

export const AV_BLOCK_RULES: readonly Rule[] = BLOCKS.map(([code, kind, severity]) => ({
  code,
  topic: 'AVBLOCK',
  needs: [BEATS, ADULT, NOT_PACED, NO_RUN, CONDUCTION_KNOWN],
  absenceNeeds: [ALL_NAMED],
  find: ({ avConduction }) => {
    if (avConduction?.kind !== kind) return undefined;
    const { atrialBpm, bpm, blocked, ranges } = avConduction;
    return {
      severity,
      values: { atrial: atrialBpm, blocked, rate: bpm },
      certainty: 'probable',
      grounds: {
        ranges,
        values: { atrialBpm, blocked, rateBpm: bpm },
      },
    };
  },
}));
