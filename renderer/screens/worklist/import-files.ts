// Hands files to the workstation in pieces, in order, and waits for what became of them.

import type { Bridge, CallOutput } from '../../../shared/bridge/contract.ts';

const PIECE_BYTES = 1 << 20;

export type ImportOutcome = CallOutput<'import.finish'>;

export interface ImportProgress {
  readonly name: string;
  /** 0 … 100 over all files. */
  readonly percent: number;
}

/**
 * @param signal ends the import; nothing of it is kept then.
 * @throws IsolineError as the workstation says.
 */
export async function importFiles(
  bridge: Bridge,
  files: readonly File[],
  autoComplete: boolean,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const { importId } = await bridge.call('import.open', {
    files: files.map((file) => ({ name: file.name, sizeBytes: file.size })),
  });
  let sent = 0;
  try {
    for (const [fileIndex, file] of files.entries()) {
      for (let offsetBytes = 0; offsetBytes < file.size; offsetBytes += PIECE_BYTES) {
        signal.throwIfAborted();
        const bytes = new Uint8Array(await file.slice(offsetBytes, offsetBytes + PIECE_BYTES).arrayBuffer());
        await bridge.call('import.write', { importId, fileIndex, offsetBytes, bytes });
        sent += bytes.length;
        onProgress({ name: file.name, percent: total === 0 ? 100 : Math.round((100 * sent) / total) });
      }
    }
    signal.throwIfAborted();
  } catch (error) {
    // Whatever stopped it, the pieces that are there go; the reason for stopping is what counts.
    await bridge.call('import.cancel', { importId }).catch(() => undefined);
    throw error;
  }
  return bridge.call('import.finish', { importId, autoComplete });
}
