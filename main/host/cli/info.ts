// `isoline info PATH…`: what is in a file, an archive or a folder, as JSON, without analysing it.

import { type Channel, type Recording, rateHz } from '../../../shared/signal/recording.ts';
import { withIntegrityChecked } from '../../formats/read-record.ts';
import { formatIsoStart } from '../../formats/start-time.ts';
import { isFolder, type NamedFault } from './analyse/folder-entries.ts';
import { recordGroups } from './analyse/record-groups.ts';
import { type Command, print, warn } from './command.ts';
import { type OpenedRecord, openRecord, openRecords } from './open-records.ts';

const describeChannel = ({
  label,
  lead,
  unit,
  scale,
  offset,
  isCalibrated,
  rate,
  isRateUnknown,
  sampleCount,
}: Channel) => ({
  label,
  ...(lead !== undefined && {
    lead: lead.code,
    ...(lead.isModified && { isModified: true }),
    ...(lead.isInverted && { isInverted: true }),
  }),
  unit,
  scale,
  offset,
  isCalibrated,
  ...(isRateUnknown === true ? { isRateUnknown } : { sampleRateHz: rateHz(rate) }),
  samples: sampleCount,
});

const describeRecording = (recording: Recording) => ({
  format: recording.format,
  ...(!recording.channels.some(({ isRateUnknown }) => isRateUnknown === true) && {
    durationSeconds: recording.durationSeconds,
  }),
  ...(recording.startTime !== undefined && { startTime: formatIsoStart(recording.startTime) }),
  patient: recording.patient,
  ...(recording.deviceId !== undefined && { deviceId: recording.deviceId }),
  channels: recording.channels.map(describeChannel),
  gaps: recording.gaps ?? [],
  annotations: recording.annotations.length,
  warnings: recording.warnings,
});

function describe(record: OpenedRecord) {
  const result = record.read();
  const files = record.files.map(({ name }) => name);
  if (!result.ok)
    return { name: record.name, files, error: { reason: result.reason, message: result.message } };
  return { name: record.name, files, ...describeRecording(withIntegrityChecked(result.recording)) };
}

const errorOf = ({ name, message }: NamedFault) => ({ name, error: { message } });

/** Each file of a folder, or of several that are named, in one list. */
async function describeAll(paths: readonly string[]): Promise<void> {
  const records: object[] = [];
  const ignored: object[] = [];
  let failed = 0;
  for await (const group of recordGroups(paths)) {
    using opened = group;
    for (const { name, files, fault } of opened.records) {
      using record = openRecord(files);
      const described =
        fault === undefined ? describe({ ...record, name }) : errorOf({ name, message: fault });
      if ('error' in described) failed++;
      records.push(described);
    }
    failed += opened.failed.length;
    records.push(...opened.failed.map(errorOf));
    ignored.push(...opened.ignored);
  }
  print(JSON.stringify({ records, ignored }, undefined, 1));
  if (records.length === 0) warn('There is no recording in a supported format.');
  if (failed > 0) warn(`${failed} of ${records.length} cannot be read.`);
  if (failed > 0 || records.length === 0) process.exitCode = 1;
}

export const infoCommand: Command = {
  name: 'info',
  usage: 'PATH…',
  options: {},
  positionals: [1, Number.POSITIVE_INFINITY],
  async run(args) {
    const [path, ...others] = args.positionals as readonly [string, ...string[]];
    if (others.length > 0 || isFolder(path)) return describeAll(args.positionals);
    using opened = await openRecords(path);
    const { records, isArchive, leftOut, warnings } = opened;
    const ignored = leftOut.map(({ name, message }) => ({ name, message }));
    const described = records.map(describe);
    print(JSON.stringify(isArchive ? { records: described, ignored, warnings } : described[0], undefined, 1));
    if (records.length === 0) {
      warn('The archive contains no recording in a supported format.');
      process.exitCode = 1;
    }
    // One file that can't be read is a failure; in an archive the others may be fine, and each says so for
    // itself.
    if (!isArchive && described[0] !== undefined && 'error' in described[0]) {
      warn(described[0].error.message);
      process.exitCode = 1;
    }
  },
};
