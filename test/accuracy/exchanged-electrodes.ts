// Whether exchanged electrodes are told: recordings of PTB-XL as they are, and each with leads put where they would be
// with two electrodes exchanged.

import { analyse } from '../../main/analysis/analyse.ts';
import type { Channel, Recording } from '../../shared/signal/recording.ts';
import { recordingFrom } from '../support/test-data.ts';
import { recordsOf } from './databases.ts';
import type { Figure } from './tables.ts';

/** By lead: the one whose samples stand under its name, upside down with a minus before it. */
type Exchange = Readonly<Record<string, string>>;

const EXCHANGES: readonly (readonly [name: string, leads: Exchange])[] = [
  ['Arms', { I: '-I', II: 'III', III: 'II', AVR: 'AVL', AVL: 'AVR' }],
  ['Right arm and left leg', { I: '-III', II: '-II', III: '-I', AVR: 'AVF', AVF: 'AVR' }],
  ['V1 and V2', { V1: 'V2', V2: 'V1' }],
  ['V2 and V3', { V2: 'V3', V3: 'V2' }],
  ['V3 and V4', { V3: 'V4', V4: 'V3' }],
  ['V4 and V5', { V4: 'V5', V5: 'V4' }],
  ['V1 and V3', { V1: 'V3', V3: 'V1' }],
];
/** Every third record is enough for each exchange. */
const STRIDE = 3;
const LEAD = 'MDC_ECG_LEAD_';

function exchanged(recording: Recording, leads: Exchange): Recording {
  const channelOf = (lead: string): Channel | undefined =>
    recording.channels.find((channel) => channel.lead?.code === `${LEAD}${lead}`);
  const channels = recording.channels.map((channel) => {
    const source = leads[channel.lead?.code.replace(LEAD, '') ?? ''];
    const from = source === undefined ? undefined : channelOf(source.replace('-', ''));
    if (source === undefined || from === undefined) return channel;
    const read = (start: number, target: Int32Array): void => {
      from.read(start, target);
      if (source.startsWith('-')) for (const [i, value] of target.entries()) target[i] = -value;
    };
    return { ...channel, scale: from.scale, read };
  });
  return { ...recording, channels };
}

const isSaid = (recording: Recording): boolean =>
  analyse(recording).statements.some(({ code }) => code.startsWith('LEAD-REV'));

export function exchangedElectrodeFigures(floors: Readonly<Record<string, number>>): Figure[] {
  const recordings = recordsOf('corpus/ptbxl').map((path) => recordingFrom(`${path}.hea`));
  const figure = (name: string, value: number, peers: string): Figure => ({
    name,
    value,
    floor: floors[name] ?? 0,
    peers,
  });
  const quiet = recordings.filter((recording) => !isSaid(recording)).length;
  const some = recordings.filter((_, i) => i % STRIDE === 0);
  return [
    figure('As recorded, nothing said', quiet / recordings.length, `of ${recordings.length}`),
    ...EXCHANGES.map(([name, leads]) => {
      const found = some.filter((recording) => isSaid(exchanged(recording, leads))).length;
      return figure(name, found / some.length, `of ${some.length}`);
    }),
  ];
}
