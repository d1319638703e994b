// What is wrong with the recording rather than with the heart.

import { leadName } from '../../../shared/signal/lead.ts';
import { areInTurn, isSilent } from '../../signal/silent-leads.ts';
import { SHORTER_WAY } from '../electrodes/electrode-order.ts';
import { durationSeconds, type Facts, hasBeats, isArrested, oneDecimal, secondsOf } from './facts.ts';
import { SPIKES_SHOWN } from './needs.ts';
import type { Finding, Rule } from './rule.ts';
import { CHEST, hundredths, named, nameOf } from './twelve-leads.ts';

const SHORT_SECONDS = 7;

const limbExchange = (facts: Facts): Finding => ({
  severity: 'LOW',
  certainty: 'possible',
  grounds: { leads: named(facts, ['I', 'II', 'V6']), values: { beats: facts.beats.length } },
});

/** What is recorded on the other leads is good: their missing signal is said by a statement of its own. */
const isLimitedBySilenceAlone = ({ leads }: Facts['quality']): boolean =>
  leads.every((lead) => lead.grade === 'good' || isSilent(lead));

export const TECHNICAL_RULES: readonly Rule[] = [
  {
    code: 'QUAL-NOBEAT',
    needs: [],
    find: (facts) =>
      hasBeats(facts) || isArrested(facts) || facts.quality.grade === 'poor'
        ? undefined
        : { severity: 'NONE', grounds: { values: { beats: 0 } } },
  },
  {
    code: 'QUAL-UNREAD',
    needs: [],
    find: ({ unread, time }) => {
      if (unread.length === 0) return undefined;
      const values = { seconds: Math.round(secondsOf(unread, time.sampleRateHz)) };
      return { severity: 'LOW', values, grounds: { ranges: unread, values } };
    },
  },
  {
    code: 'LEAD-REV',
    needs: [],
    find: (facts) => (facts.electrodeOrder.limb === 'arms' ? limbExchange(facts) : undefined),
  },
  {
    code: 'LEAD-REVLIMB',
    needs: [],
    find: (facts) => {
      const { limb } = facts.electrodeOrder;
      return limb === undefined || limb === 'arms'
        ? undefined
        : { ...limbExchange(facts), values: { electrodes: limb } };
    },
  },
  {
    code: 'LEAD-REVCHEST',
    needs: [],
    find: ({ electrodeOrder: { chest } }) => {
      if (chest === undefined) return undefined;
      const [one, other] = chest.electrodes;
      return {
        severity: 'LOW',
        values: { one: `V${one}`, other: `V${other}` },
        certainty: 'possible',
        grounds: {
          leads: CHEST.map(nameOf),
          values: { wayShare: hundredths(chest.wayShare) },
          limits: { wayShare: SHORTER_WAY },
        },
      };
    },
  },
  {
    code: 'RHY-PACESPIKES',
    topic: 'PACING',
    needs: [],
    absenceNeeds: [SPIKES_SHOWN],
    find: ({ electrodes: { spikes }, base }) =>
      spikes.length === 0 || base === 'P'
        ? undefined
        : {
            severity: 'LOW',
            values: { count: spikes.length },
            // Electrodes pop: 5 of 865 recordings without a pacemaker have such spikes.
            certainty: 'possible',
            grounds: { ranges: spikes.map((spike) => [spike, spike + 1]), values: { count: spikes.length } },
          },
  },
  {
    code: 'QUAL-HUM',
    needs: [],
    find: ({ electrodes: { hum } }) =>
      hum === undefined
        ? undefined
        : {
            severity: 'NONE',
            values: { hz: hum.hz, uv: hum.uv },
            grounds: { values: { frequencyHz: hum.hz, peakUv: hum.uv } },
          },
  },
  {
    code: 'QUAL-FLAT',
    needs: [],
    find: ({ quality, time }) => {
      const silent = quality.leads.filter(isSilent);
      return silent.length === 0 || areInTurn(quality.leads)
        ? undefined
        : {
            severity: 'NONE',
            values: { leads: silent.map(({ lead }) => leadName(lead)).join(', ') },
            grounds: {
              ranges: [[0, time.sampleCount]],
              leads: silent.map(({ lead }) => lead),
              values: Object.fromEntries(silent.map(({ lead, usableShare }) => [lead, usableShare])),
            },
          };
    },
  },
  ...(['QUAL-POOR', 'QUAL-FAIR'] as const).map(
    (code): Rule => ({
      code,
      needs: [],
      find: ({ quality, time }) =>
        code !== (quality.grade === 'poor' ? 'QUAL-POOR' : 'QUAL-FAIR') ||
        quality.grade === 'good' ||
        (code === 'QUAL-FAIR' && isLimitedBySilenceAlone(quality))
          ? undefined
          : {
              severity: 'NONE',
              ...(areInTurn(quality.leads) && { values: { why: 'leadsInTurn' as const } }),
              grounds: {
                ranges: [[0, time.sampleCount]],
                leads: quality.leads.filter(({ grade }) => grade !== 'good').map(({ lead }) => lead),
                values: Object.fromEntries(quality.leads.map(({ lead, usableShare }) => [lead, usableShare])),
              },
            },
    }),
  ),
  {
    code: 'QUAL-SHORT',
    needs: [],
    find: (facts) => {
      const seconds = oneDecimal(durationSeconds(facts));
      return durationSeconds(facts) >= SHORT_SECONDS
        ? undefined
        : {
            severity: 'LOW',
            values: { seconds },
            grounds: { values: { seconds }, limits: { seconds: SHORT_SECONDS } },
          };
    },
  },
];
