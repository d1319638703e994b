// A recording of any length, imported by the bridge piece by piece, as somebody who drops a file on the page.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { edfBytes } from '../../main/formats/edf/write-edf.ts';
import type { Bridge } from '../../shared/bridge/contract.ts';
import type { Recording } from '../../shared/signal/recording.ts';

const PART_BYTES = 900_000;

/** @param path of a file that is written for it, an EDF @returns the task */
export async function importRecording(bridge: Bridge, recording: Recording, path: string): Promise<number> {
  const file = createWriteStream(path);
  for (const part of edfBytes(recording)) if (!file.write(Uint8Array.from(part))) await once(file, 'drain');
  file.end();
  await once(file, 'finish');
  await using read = await open(path);
  const { size } = await read.stat();
  const { importId } = await bridge.call('import.open', { files: [{ name: 'day.edf', sizeBytes: size }] });
  for (let offsetBytes = 0; offsetBytes < size; offsetBytes += PART_BYTES) {
    const { buffer, bytesRead } = await read.read(Buffer.alloc(PART_BYTES), 0, PART_BYTES, offsetBytes);
    const bytes = Uint8Array.from(buffer.subarray(0, bytesRead));
    await bridge.call('import.write', { importId, fileIndex: 0, offsetBytes, bytes });
  }
  const { records } = await bridge.call('import.finish', { importId, autoComplete: false });
  return records[0]?.taskId as number;
}
