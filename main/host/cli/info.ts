// `isoline info FILE`: what is in a file or an archive, as JSON, without analysing it.

import { type Channel, type Recording, rateHz } from '../../../shared/signal/recording.ts';
import { withIntegrityChecked } from '../../formats/read-record.ts';
import { formatIsoStart } from '../../formats/start-time.ts';
import { type Command, print, warn } from './command.ts';
import { type OpenedRecord, openRecords } from './open-records.ts';

const describeChannel = ({ label, lead, unit, scale, offset, isCalibrated, rate, sampleCount }: Channel) => ({
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
  sampleRateHz: rateHz(rate),
  samples: sampleCount,
});

const describeRecording = (recording: Recording) => ({
  format: recording.format,
  durationSeconds: recording.durationSeconds,
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

export const infoCommand: Command = {
  name: 'info',
  usage: 'FILE',
  options: {},
  positionals: [1, 1],
  async run(args) {
    using opened = await openRecords(args.positionals[0] as string);
    const { records, isArchive, ignored, warnings } = opened;
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
