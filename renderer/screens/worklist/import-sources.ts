// Files to be imported, wherever they come from: chosen or dropped on the page, or opened with the program outside of it.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ImportSource } from '../../../shared/bridge/import-files.ts';
import { useBridge, useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useSeat } from '../../bridge/use-seat.ts';
import { useImportRun } from '../../entry/import-run.tsx';

export const sourceOf = (file: File): ImportSource => ({
  name: file.name,
  sizeBytes: file.size,
  read: async (offsetBytes, lengthBytes) =>
    new Uint8Array(await file.slice(offsetBytes, offsetBytes + lengthBytes).arrayBuffer()),
});

interface OpenedSource extends ImportSource {
  readonly id: string;
}

interface OpenedSources {
  readonly sources: readonly OpenedSource[];
  /** They were imported, or are not wanted. */
  close(ids: readonly string[]): void;
}

function useOpenedSources(): OpenedSources {
  const bridge = useBridge();
  const { isDesk } = useSeat();
  const { data } = useBridgeQuery('opened.list', {}, { isEnabled: isDesk });
  const sources = useMemo(
    () =>
      (data?.files ?? []).map(
        ({ id, name, sizeBytes }): OpenedSource => ({
          id,
          name,
          sizeBytes,
          read: async (offsetBytes, lengthBytes) =>
            (await bridge.call('opened.read', { id, offsetBytes, lengthBytes })).bytes,
        }),
      ),
    [bridge, data],
  );
  const close = useCallback(
    (ids: readonly string[]) => {
      // If the bridge is gone, the files were closed with it.
      void bridge.call('opened.close', { ids: [...ids] }).catch(() => undefined);
    },
    [bridge],
  );
  return { sources, close };
}

export interface ImportChoice {
  /** What the dialog begins with; undefined while there is none. */
  readonly sources: readonly ImportSource[] | undefined;
  open(sources: readonly ImportSource[]): void;
  close(): void;
}

/** What was opened with the program is offered as soon as no other dialog is there. */
export function useImportChoice(): ImportChoice {
  const opened = useOpenedSources();
  const { stage } = useImportRun();
  // One that was left while it ran is shown again.
  const [sources, setSources] = useState<readonly ImportSource[] | undefined>(
    stage.kind === 'choosing' ? undefined : [],
  );
  const offered = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const fresh = opened.sources.filter(({ id }) => !offered.current.has(id));
    if (sources !== undefined || fresh.length === 0) return;
    offered.current = new Set(fresh.map(({ id }) => id));
    setSources(fresh);
  }, [opened.sources, sources]);
  const close = useCallback(() => {
    setSources(undefined);
    if (offered.current.size > 0) opened.close([...offered.current]);
  }, [opened.close]);
  return { sources, open: setSources, close };
}
