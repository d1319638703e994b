// AliveCor's `.atc` (Kardia, one or six leads) into a Recording: a mark, then blocks of a name, a length, data, and the sum of their bytes
// (AliveCor, "ATC file format", versions 2 and 3).

import type { Channel, StartTime } from '../../../shared/signal/recording.ts';
import { recordingOf, samplesOf16 } from '../carts/cart-record.ts';
import { Deviations } from '../deviations.ts';
import { type RecordFormat, refused } from '../format.ts';
import { parseIsoStart } from '../start-time.ts';
import { memoryChannel } from '../stored-channel.ts';
import { decodeField } from '../text-field.ts';

const MARK = 'ALIVE\0';
const FIRST_BLOCK = 12;
const HEADER_BYTES = 8;
const SUM_BYTES = 4;
const MAX_BYTES = 256 * 2 ** 20;
const LEADS = ['I', 'II', 'III', 'aVR', 'aVL', 'aVF'];
const latin = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

interface Blocks {
  readonly byName: ReadonlyMap<string, Uint8Array>;
  readonly damaged: readonly string[];
  readonly isCut: boolean;
}

function readBlocks(bytes: Uint8Array): Blocks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const byName = new Map<string, Uint8Array>();
  const damaged: string[] = [];
  let at = FIRST_BLOCK;
  while (at + HEADER_BYTES + SUM_BYTES <= bytes.length) {
    const name = latin(bytes.subarray(at, at + 4)).trim();
    const end = at + HEADER_BYTES + view.getUint32(at + 4, true);
    if (end + SUM_BYTES > bytes.length) return { byName, damaged, isCut: true };
    // The sum is over the name, the length and the data.
    const sum = bytes.subarray(at, end).reduce((total, byte) => (total + byte) >>> 0, 0);
    if (sum !== view.getUint32(end, true)) damaged.push(name);
    byName.set(name, bytes.subarray(at + HEADER_BYTES, end));
    at = end + SUM_BYTES;
  }
  return { byName, damaged, isCut: at < bytes.length };
}

interface Format {
  readonly hz: number;
  /** Nanovolts a step. */
  readonly stepNv: number;
}

function formatOf(block: Uint8Array | undefined): Format | undefined {
  if (block === undefined || block.length < 5) return undefined;
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  return { hz: view.getUint16(1, true), stepNv: view.getUint16(3, true) };
}

/** The time of the recording stands first among the texts about it. */
function startOf(info: Uint8Array | undefined): StartTime | undefined {
  return info === undefined ? undefined : parseIsoStart(decodeField(info.subarray(0, 32)).text);
}

function channelsOf({ byName }: Blocks, { hz, stepNv }: Format): Channel[] {
  return LEADS.flatMap((label, i) => {
    const block = byName.get(i === 0 ? 'ecg' : `ecg${i + 1}`);
    if (block === undefined) return [];
    return memoryChannel(label, {
      unit: 'nV',
      scale: stepNv > 0 ? stepNv : 1,
      offset: 0,
      isCalibrated: stepNv > 0,
      rate: { samples: hz, seconds: 1 },
      samples: samplesOf16(block),
    });
  });
}

export const ALIVECOR: RecordFormat = {
  name: 'AliveCor ATC',

  detect: (head) => latin(head.subarray(0, MARK.length)) === MARK,

  read({ source }) {
    if (source.sizeBytes > MAX_BYTES)
      return refused('record_unreadable', `The AliveCor file is larger than ${MAX_BYTES} bytes.`);
    const blocks = readBlocks(source.read(0, source.sizeBytes));
    const format = formatOf(blocks.byName.get('fmt'));
    const deviations = new Deviations();
    if (format === undefined || format.hz === 0)
      return refused('record_unreadable', 'The AliveCor file does not tell its sample rate.');
    const channels = channelsOf(blocks, format);
    const sampleCount = Math.max(0, ...channels.map((channel) => channel.sampleCount));
    if (sampleCount === 0) return refused('record_unreadable', 'The AliveCor file holds no samples.');
    for (const name of blocks.damaged) deviations.add('checksum.block', { name });
    if (blocks.isCut) deviations.add('truncated.file');
    if (format.stepNv === 0) for (const { label } of channels) deviations.add('scale_unknown', { label });
    return recordingOf(ALIVECOR.name, {
      channels,
      startTime: startOf(blocks.byName.get('info')),
      patient: {},
      deviceId: undefined,
      readings: [],
      deviations,
    });
  },
};
