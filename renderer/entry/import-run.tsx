// Files that somebody chose to import, and how far that is. It goes on while another screen is shown, and whoever comes back
// sees it as it is by then.

import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import {
  type ImportOutcome,
  type ImportProgress,
  type ImportSource,
  importFiles,
} from '../../shared/bridge/import-files.ts';
import type { ImportedRecord } from '../../shared/bridge/views.ts';
import type { IsolineError } from '../../shared/errors.ts';
import { useBridge } from '../bridge/use-bridge.tsx';

type ImportStage =
  | { readonly kind: 'choosing' }
  | { readonly kind: 'running'; readonly progress: ImportProgress | undefined }
  | { readonly kind: 'done'; readonly outcome: ImportOutcome }
  | { readonly kind: 'failed'; readonly error: unknown };

interface ImportRun {
  readonly stage: ImportStage;
  readonly files: readonly ImportSource[];
  readonly isAutomatic: boolean;
  /** Starts over with these files, and switches automatic approval off until somebody chooses it again. */
  begin(files: readonly ImportSource[]): void;
  choose(files: readonly ImportSource[]): void;
  setAutomatic(isAutomatic: boolean): void;
  /** @returns what came of it; undefined where it failed or was given up */
  start(): Promise<ImportOutcome | undefined>;
  /** A file of it, that a person was asked about, was imported after all. */
  settle(record: ImportedRecord): void;
  /** Ends what runs, and forgets what came of it. */
  close(): void;
}

type DoneStage = Extract<ImportStage, { readonly kind: 'done' }>;

const withRecord = ({ kind, outcome }: DoneStage, record: ImportedRecord): DoneStage => ({
  kind,
  outcome: {
    ...outcome,
    records: outcome.records.map((before) => (before.name === record.name ? record : before)),
  },
});

const CHOOSING: ImportStage = { kind: 'choosing' };
const ImportRunContext = createContext<ImportRun | undefined>(undefined);

export function ImportRunProvider({ children }: { children: ReactNode }): ReactNode {
  const bridge = useBridge();
  const [stage, setStage] = useState<ImportStage>(CHOOSING);
  const [files, choose] = useState<readonly ImportSource[]>([]);
  const [isAutomatic, setAutomatic] = useState(false);
  const running = useRef<AbortController | undefined>(undefined);
  const run = useMemo(
    (): ImportRun => ({
      stage,
      files,
      isAutomatic,
      begin(chosen) {
        choose(chosen);
        setAutomatic(false);
      },
      choose,
      setAutomatic,
      async start() {
        const controller = new AbortController();
        running.current = controller;
        // What was closed says nothing more, whatever still comes of it.
        const show = (next: ImportStage): void => {
          if (running.current === controller) setStage(next);
        };
        show({ kind: 'running', progress: undefined });
        try {
          const outcome = await importFiles(bridge, files, {
            autoComplete: isAutomatic,
            onProgress: (progress) => show({ kind: 'running', progress }),
            signal: controller.signal,
          });
          show({ kind: 'done', outcome });
          return outcome;
        } catch (error) {
          show({ kind: 'failed', error: error as IsolineError });
          return undefined;
        }
      },
      settle(record) {
        setStage((before) => (before.kind === 'done' ? withRecord(before, record) : before));
      },
      close() {
        if (stage.kind === 'done' && stage.outcome.importId !== undefined)
          // If the bridge is gone, the import was closed with it.
          void bridge.call('import.cancel', { importId: stage.outcome.importId }).catch(() => undefined);
        running.current?.abort();
        running.current = undefined;
        setStage(CHOOSING);
        choose([]);
        setAutomatic(false);
      },
    }),
    [bridge, stage, files, isAutomatic],
  );
  return <ImportRunContext value={run}>{children}</ImportRunContext>;
}

export function useImportRun(): ImportRun {
  const run = useContext(ImportRunContext);
  if (run === undefined) throw new Error('there is no import above this part');
  return run;
}
