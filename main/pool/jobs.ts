// The jobs of the worker pool, run inside a worker: they open files, call the pure rooms and hand back plain
// values. A worker has no database, no network, no token (SEC30). What few jobs need is loaded by the first of them:
// with everything, a worker took twice as long to start.

import { parentPort } from 'node:worker_threads';
import type { AnalysisResult } from '../../shared/analysis-result.ts';
import type { AnalysisProgress } from '../../shared/analysis-stage.ts';
import type { CharacterSet } from '../../shared/character-set.ts';
import { IsolineError, type PlainError, type Reason, toPlainError } from '../../shared/errors.ts';
import { given } from '../../shared/given.ts';
import type { Constraints } from '../../shared/review/constraints.ts';
import { type ChannelChoice, LEAST_ECG_RATE_HZ } from '../../shared/signal/channel-choice.ts';
import { MOST_CHANNELS, type Recording, rateHz } from '../../shared/signal/recording.ts';
import { analyse } from '../analysis/analyse.ts';
import { withFamiliesNamed } from '../analysis/constraints.ts';
import type {
  AnalysisJob,
  AnalysisOutput,
  BeatPictures,
  ChannelsView,
  ChosenFiles,
  ExportedFile,
  ExportJob,
  FileDescriptions,
  OrdersJob,
  Packed,
  PackJob,
  PicturesWanted,
  PoolFile,
  RecordDescription,
  ReportJob,
  RowsWanted,
  SignalPart,
  SignalRange,
  SignalRows,
  SignalStrip,
  WorklistRead,
} from '../clinic/ports.ts';
import type { RecordingFacts } from '../clinic/tasks/records.ts';
import { archiveKindOf } from '../formats/archive/archive-kind.ts';
import type { RecordFile } from '../formats/byte-source.ts';
import type { ReadResult } from '../formats/format.ts';
import { type GroupedRecord, groupFiles } from '../formats/group-files.ts';
import { admit, asRead, readAsStored, withIntegrityChecked } from '../formats/read-record.ts';
import type { ExaminationResult } from '../ground/examination-result.ts';
import { ecgChannels } from '../signal/channels/judge-channels.ts';
import { frameFault } from '../signal/compressed-delta/read-frame.ts';
import { channelsKey } from './channels-key.ts';
import { hashFile } from './hash-file.ts';
import { mainOf, openAll, readJob } from './job-files.ts';
import { readBeatPictures } from './read-beat-pictures.ts';
import { readChannels } from './read-channels.ts';
import { readDay, readRows } from './read-day.ts';
import { readMarks, readSignal, readStrip } from './read-signal.ts';
import { openWaypoints } from './waypoint-folder.ts';

/** What an analysis is at, while it runs. */
export interface ProgressMessage {
  /** The number of the request. */
  readonly jobId: number;
  readonly progress: AnalysisProgress;
}

/** Errors cross the thread as values, so that their reasons stay. */
export type PoolAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: PlainError; readonly stack?: string };

function factsOf(recording: Recording, key: string): RecordingFacts {
  const leads = ecgChannels(recording.channels);
  return {
    format: recording.format,
    leadCount: leads.length,
    durationMs: Math.round(1000 * recording.durationSeconds),
    ...(recording.startTime !== undefined && {
      startMs: recording.startTime.utcMs,
      isStartZoneKnown: recording.startTime.isZoneKnown,
    }),
    ...(recording.deviceId !== undefined && { deviceId: recording.deviceId }),
    ...(recording.device?.isSimulated && { isSimulated: true }),
    patient: recording.patient,
    warnings: recording.warnings,
    channelsKey: key,
  };
}

/** A person may know what the file does not say. */
const ASKED_ABOUT: ReadonlySet<string> = new Set<Reason>(['no_ecg_record', 'rate_not_stated']);

/** Slow signals alone are no ECG, whatever anybody says. */
const mayHoldEcg = ({ channels }: Recording): boolean =>
  channels.length <= MOST_CHANNELS &&
  channels.some(({ rate, isRateUnknown }) => isRateUnknown === true || rateHz(rate) >= LEAST_ECG_RATE_HZ);

/** @param stored with its channels as the file has them */
function outcomeOf(stored: ReadResult, choice?: ChannelChoice): RecordDescription['outcome'] {
  const result = admit(asRead(stored, choice));
  const key = stored.ok ? channelsKey(stored.recording.channels) : '';
  if (result.ok) return { ok: true, facts: factsOf(withIntegrityChecked(result.recording), key) };
  const { reason, message } = result;
  const isAsked = ASKED_ABOUT.has(reason) && stored.ok && mayHoldEcg(stored.recording);
  return { ok: false, reason, message, ...(isAsked && { channelsKey: key }) };
}

function describeChosen({ files, channels }: ChosenFiles): RecordDescription['outcome'] {
  using open = openAll(files);
  return outcomeOf(readAsStored(mainOf(open.files), open.files), channels);
}

function runChannels(files: readonly PoolFile[]): ChannelsView {
  using open = openAll(files);
  const read = readAsStored(mainOf(open.files), open.files);
  if (!read.ok) throw new IsolineError(read.reason, read.message);
  return readChannels(read.recording);
}

function describe(poolFiles: readonly PoolFile[]): FileDescriptions {
  using open = openAll(poolFiles);
  const { records, unclaimed } = groupFiles(open.files);
  const archives = new Set(unclaimed.filter((file) => archiveKindOf(file) !== undefined));
  const others = unclaimed.filter((file) => !archives.has(file));
  // Where nothing is a record, each file still deserves its own sentence.
  const candidates: readonly GroupedRecord[] =
    records.length > 0 ? records : others.map((file) => ({ given: [file], files: [file] }));
  const indexOf = new Map(open.files.map((file, index) => [file, index]));
  const indices = (files: readonly RecordFile[]): number[] =>
    files.map((file) => indexOf.get(file) as number);
  const described = candidates.map(({ given, files, fault }): RecordDescription => {
    const outcome = outcomeOf(fault ?? readAsStored(files[0], files));
    return { fileIndices: indices(given), name: given[0]?.name ?? '', outcome };
  });
  return {
    records: described,
    found: records.length,
    archives: indices([...archives]),
    unclaimed: records.length > 0 ? indices(others) : [],
  };
}

const LEAST_MS_BETWEEN = 500;

/** What a person said of families is said of the beats that the person saw in them. */
function constraintsFor({
  constraints,
  seenResultJson,
  approvedShapes = [],
}: AnalysisJob): Constraints | undefined {
  if (constraints === undefined || seenResultJson === undefined) return constraints;
  const { beats, recording } = JSON.parse(Buffer.from(seenResultJson).toString('utf8')) as AnalysisResult;
  const approved = new Set(approvedShapes.map(({ sample }) => sample));
  return withFamiliesNamed(constraints, beats, recording.sampleRateHz, ({ sample }) => approved.has(sample));
}

function runAnalysis(job: AnalysisJob, jobId: number): AnalysisOutput {
  using open = openAll(job.files);
  let told: { readonly stage: string; readonly atMs: number } | undefined;
  // A stage at once, its minutes no faster than somebody reads them.
  const tell = (progress: AnalysisProgress): void => {
    const nowMs = performance.now();
    if (progress.stage === told?.stage && nowMs - told.atMs < LEAST_MS_BETWEEN) return;
    told = { stage: progress.stage, atMs: nowMs };
    parentPort?.postMessage({ jobId, progress } satisfies ProgressMessage);
  };
  tell({ stage: 'reading' });
  const recording = withIntegrityChecked(readJob(open.files, job));
  const { patient, createdMs, withSuspicions } = job;
  const constraints = constraintsFor(job);
  const result = analyse(recording, {
    patient,
    createdMs,
    withSuspicions,
    ...given({ constraints }),
    ...(job.unfinishedFolder !== undefined && { waypoints: openWaypoints(job.unfinishedFolder, job) }),
    onProgress: tell,
  });
  const { measurements, statements, notAssessed, severity, quality, warnings, analysisVersion } = result;
  return {
    resultJson: new TextEncoder().encode(JSON.stringify(result)),
    summary: {
      measurements,
      statements,
      notAssessed,
      ...(severity !== undefined && { severity }),
      quality,
      warnings,
    },
    analysisVersion,
  };
}

function runSignal(job: AnalysisJob, range: SignalRange): SignalPart {
  using open = openAll(job.files);
  return readSignal(readJob(open.files, job), range);
}

function runStrip(job: AnalysisJob): SignalStrip {
  using open = openAll(job.files);
  return readStrip(readJob(open.files, job));
}

function runRows(job: AnalysisJob, wanted: RowsWanted): SignalRows {
  using open = openAll(job.files);
  return readRows(readJob(open.files, job), wanted);
}

function runBeatPictures(job: AnalysisJob, wanted: PicturesWanted): BeatPictures {
  using open = openAll(job.files);
  return readBeatPictures(readJob(open.files, job), wanted);
}

async function runExport(job: ExportJob): Promise<ExportedFile> {
  const { exportRecording } = await import('./export-recording.ts');
  using open = openAll(job.files);
  // The files are open until it has ended.
  return await exportRecording({ ...readJob(open.files, job), patient: job.patient }, job);
}

async function runPack({ patient, ...job }: PackJob): Promise<Packed> {
  const { packRecording } = await import('./pack-recording.ts');
  using open = openAll(job.files);
  // The files are open until it has ended.
  return await packRecording({ ...readJob(open.files, job), patient }, job);
}

/** Loaded when somebody asks: the library that also writes such entries takes a while. */
async function runWorklist(entries: readonly Uint8Array[], isImplicit: boolean): Promise<WorklistRead> {
  const { readWorklistEntry } = await import('../formats/dicom/worklist.ts');
  const orders = entries
    .map((entry) => readWorklistEntry(entry, isImplicit))
    .filter((each) => each !== undefined);
  return { orders, unread: entries.length - orders.length };
}

/** Each job by its name: what it takes, and what it gives. */
const JOBS = {
  describe,
  unpack: async (file: PoolFile, folder: string, reserveBytes: number) =>
    (await import('./unpack.ts')).unpackFile(file, folder, { reserveBytes, isDurable: true }),
  analyse: runAnalysis,
  report: async (job: ReportJob) => (await import('./run-report.ts')).runReport(job),
  signal: runSignal,
  strip: runStrip,
  channels: runChannels,
  describeChosen,
  export: runExport,
  pack: runPack,
  marks: readMarks,
  day: readDay,
  rows: runRows,
  beatPictures: runBeatPictures,
  gdt: async (result: ExaminationResult, characterSet: CharacterSet) =>
    (await import('../formats/gdt/gdt.ts')).writeGdtResult(result, characterSet),
  orders: async (job: OrdersJob) => (await import('./run-orders.ts')).runOrders(job),
  worklist: runWorklist,
  hl7: async (message: Uint8Array) => (await import('./run-orders.ts')).runHl7(message),
  commitment: async (dataset: Uint8Array, isImplicit: boolean) =>
    (await import('../formats/dicom/commitment.ts')).readCommitment(dataset, isImplicit),
  checkFrame: frameFault,
  hash: hashFile,
} as const;

type Jobs = typeof JOBS;
export type JobName = keyof Jobs;
export type JobInput<N extends JobName> = Parameters<Jobs[N]>;
export type JobOutput<N extends JobName> = Awaited<ReturnType<Jobs[N]>>;

export interface PoolRequest<N extends JobName = JobName> {
  readonly job: N;
  readonly input: JobInput<N>;
}

function perform<N extends JobName>({ job, input }: PoolRequest<N>): unknown {
  const run = JOBS[job] as (...input: JobInput<N>) => unknown;
  return run(...input);
}

export async function answer(request: PoolRequest): Promise<PoolAnswer> {
  try {
    return { ok: true, value: await perform(request) };
  } catch (error) {
    // The border of the worker. The stack is for the log of the thread that asked.
    const stack = error instanceof IsolineError || !(error instanceof Error) ? undefined : error.stack;
    return { ok: false, error: toPlainError(error), ...(stack !== undefined && { stack }) };
  }
}
