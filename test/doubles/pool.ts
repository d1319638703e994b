// A worker pool whose jobs end when and how a test says: workers that die can't be had from the real one on
// demand.

import type {
  AnalysisOutput,
  BeatPictures,
  ChannelsView,
  ExportedFile,
  FileDescriptions,
  Hl7Read,
  OrdersJob,
  OrdersRead,
  Packed,
  Pool,
  PoolFile,
  RecordDescription,
  ReviewMarks,
  SignalPart,
  SignalRows,
  SignalStrip,
  StoredDay,
  Unpacked,
  WorklistRead,
} from '../../main/clinic/ports.ts';
import { readOrders } from '../../main/formats/orders/read-orders.ts';
import type { Measurements, Statement } from '../../shared/analysis-result.ts';
import type { AnalysisProgress } from '../../shared/analysis-stage.ts';
import { IsolineError } from '../../shared/errors.ts';
import type { Severity } from '../../shared/severity.ts';

export type AnalysisOutcome = 'done' | 'crash' | 'unreadable' | 'hang';

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

export class ScriptedPool implements Pool {
  readonly workers = 2;
  readonly outcomes: AnalysisOutcome[] = [];
  /** What every analysis finds. */
  statements: Statement[] = [];
  severity: Severity = 'NONE';
  measurements: Measurements = {};
  analyses = 0;

  async describe(files: readonly PoolFile[]): Promise<FileDescriptions> {
    const facts = { format: 'EDF', leadCount: 12, durationMs: 10_000, patient: {}, warnings: [] };
    return {
      records: files.map(({ name }, index) => ({ fileIndices: [index], name, outcome: { ok: true, facts } })),
      found: files.length,
      archives: [],
      unclaimed: [],
    };
  }

  pack(..._call: Parameters<Pool['pack']>): Promise<Packed> {
    return Promise.reject(new IsolineError('format_unsuitable', 'Nothing is packed here.'));
  }

  async unpack(): Promise<Unpacked> {
    return { files: [], warnings: [] };
  }

  analyse(
    _job: unknown,
    signal?: AbortSignal,
    onProgress?: (progress: AnalysisProgress) => void,
  ): Promise<AnalysisOutput> {
    this.analyses++;
    onProgress?.({ stage: 'reading' });
    onProgress?.({ stage: 'beats' });
    const { statements, severity, measurements } = this;
    const summary = { measurements, statements, severity, quality: [], warnings: [] };
    switch (this.outcomes.shift() ?? 'done') {
      case 'done':
        return Promise.resolve({
          resultJson: encode({ analyses: this.analyses }),
          summary,
          analysisVersion: 'x',
        });
      case 'crash':
        return Promise.reject(new IsolineError('analysis_crashed', 'The worker died.'));
      case 'unreadable':
        return Promise.reject(new IsolineError('record_unreadable', 'The file is damaged.'));
      case 'hang':
        return new Promise((_resolve, reject) => {
          const stop = (): void => reject(new IsolineError('analysis_crashed', 'Stopped.'));
          // Somebody may have stopped it before it began.
          if (signal?.aborted) stop();
          else signal?.addEventListener('abort', stop);
        });
    }
  }

  async readWorklist(entries: readonly Uint8Array[]): Promise<WorklistRead> {
    return { orders: [], unread: entries.length };
  }

  async readHl7(): Promise<Hl7Read> {
    return { ok: false, head: undefined, message: '' };
  }

  async readCommitment(): Promise<undefined> {
    return undefined;
  }

  readOrders({ bytes, ...context }: OrdersJob): Promise<OrdersRead> {
    return Promise.resolve(readOrders(bytes, context));
  }

  async checkFrame(): Promise<string | undefined> {
    return undefined;
  }

  report(): Promise<Uint8Array> {
    return Promise.resolve(encode('%PDF-'));
  }

  signal(): Promise<SignalPart> {
    return Promise.reject(new IsolineError('record_unreadable', 'Nothing is recorded here.'));
  }

  strip(): Promise<SignalStrip> {
    return Promise.reject(new IsolineError('record_unreadable', 'Nothing is recorded here.'));
  }

  channels(): Promise<ChannelsView> {
    return Promise.reject(new IsolineError('record_unreadable', 'Nothing is recorded here.'));
  }

  async describeChosen(): Promise<RecordDescription['outcome']> {
    return { ok: false, reason: 'record_unreadable', message: 'Nothing is recorded here.' };
  }

  exportRecording(): Promise<ExportedFile> {
    return Promise.reject(new IsolineError('format_unsuitable', 'Nothing is recorded here.'));
  }

  writeGdt(): Promise<Uint8Array> {
    return Promise.resolve(encode('013800063'));
  }

  marks(): Promise<ReviewMarks> {
    return Promise.reject(new IsolineError('report_damaged', 'Nothing is found here.'));
  }

  day(): Promise<StoredDay> {
    return Promise.reject(new IsolineError('report_damaged', 'Nothing is found here.'));
  }

  beatPictures(): Promise<BeatPictures> {
    return Promise.reject(new IsolineError('record_unreadable', 'Nothing is recorded here.'));
  }

  rows(): Promise<SignalRows> {
    return Promise.reject(new IsolineError('record_unreadable', 'Nothing is recorded here.'));
  }

  async hash(path: string): Promise<string> {
    const { createHash } = await import('node:crypto');
    const { readFile } = await import('node:fs/promises');
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
}
