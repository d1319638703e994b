// Hands files to the workstation in pieces, in order, and waits for what became of them: from a page, or from the command line.

import type { Bridge, CallOutput } from './contract.ts';

const PIECE_BYTES = 1 << 20;

export type ImportOutcome = CallOutput<'import.finish'>;

export interface ImportProgress {
  readonly name: string;
  /** 0 … 100 over all files. */
  readonly percent: number;
}

/** A file, wherever it lies. */
export interface ImportSource {
  readonly name: string;
  readonly sizeBytes: number;
  /** @throws where so much of it is not there any more */
  read(offsetBytes: number, lengthBytes: number): Promise<Uint8Array>;
}

export interface ImportOptions {
  readonly autoComplete: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Ends the import; nothing of it is kept then. */
  readonly signal?: AbortSignal;
}

/** @throws IsolineError as the workstation says */
export async function importFiles(
  bridge: Bridge,
  files: readonly ImportSource[],
  { autoComplete, onProgress, signal }: ImportOptions,
): Promise<ImportOutcome> {
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const { importId } = await bridge.call('import.open', {
    files: files.map(({ name, sizeBytes }) => ({ name, sizeBytes })),
  });
  let sent = 0;
  try {
    for (const [fileIndex, { name, sizeBytes, read }] of files.entries()) {
      for (let offsetBytes = 0; offsetBytes < sizeBytes; offsetBytes += PIECE_BYTES) {
        signal?.throwIfAborted();
        const bytes = await read(offsetBytes, Math.min(PIECE_BYTES, sizeBytes - offsetBytes));
        await bridge.call('import.write', { importId, fileIndex, offsetBytes, bytes });
        sent += bytes.length;
        onProgress?.({ name, percent: total === 0 ? 100 : Math.round((100 * sent) / total) });
      }
    }
    signal?.throwIfAborted();
  } catch (error) {
    // Whatever stopped it, the pieces that are there go; the reason for stopping is what counts.
    await bridge.call('import.cancel', { importId }).catch(() => undefined);
    throw error;
  }
  return bridge.call('import.finish', { importId, autoComplete });
}
