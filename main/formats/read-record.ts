// From files to a Recording, and whether the recording can be taken on for analysis.

import type { ChannelChoice } from '../../shared/signal/channel-choice.ts';
import type { ChannelKind } from '../../shared/signal/channel-kind.ts';
import {
  type Channel,
  MOST_CHANNELS,
  type Recording,
  rateHz,
  type Warning,
} from '../../shared/signal/recording.ts';
import { isPlausibleStep } from '../../shared/signal/unit.ts';
import { warning } from '../../shared/warnings/warning.ts';
import { withChosenChannels } from '../signal/channels/chosen-channels.ts';
import { ecgChannels, judgeChannels } from '../signal/channels/judge-channels.ts';
import { contentsOf, settleChannels } from '../signal/channels/settle-channels.ts';
import type { RecordFile } from './byte-source.ts';
import { describeOther, detectFormat } from './content.ts';
import { type ReadResult, type RefusedRecord, refused } from './format.ts';
import { settleGains } from './settle-gains.ts';
import { readUntimedTable } from './tables/untimed-table.ts';

/** One file as exactly one record, its channels as the file has them. Never throws on content. */
export function readAsStored(file: RecordFile, siblings: readonly RecordFile[]): ReadResult {
  const format = detectFormat(file);
  if (format !== undefined) return format.read(file, siblings);
  return readUntimedTable(file.source) ?? describeOther(file);
}

/**
 * Reads one file as exactly one record; `siblings` are the files beside it. Never throws on content.
 * @param choice which channels are ECG, where a person has said so
 */
export function readRecord(
  file: RecordFile,
  siblings: readonly RecordFile[],
  choice?: ChannelChoice,
): ReadResult {
  return asRead(readAsStored(file, siblings), choice);
}

/** A recording with the leads that its channels are, and scales that can be. */
export function asRead(stored: ReadResult, choice?: ChannelChoice): ReadResult {
  if (!stored.ok) return stored;
  const chosen = choice === undefined ? stored.recording : withChosenChannels(stored.recording, choice);
  return { ok: true, recording: settleGains(doubtScales(settleChannels(chosen))) };
}

const MAYBE_ECG: ReadonlySet<ChannelKind | undefined> = new Set(['ecg', 'unknown']);

/**
 * A scale that can't be is no scale: such a channel keeps its samples and loses its calibration, with a
 * warning.
 */
function doubtScales(recording: Recording): Recording {
  const warnings: Warning[] = [];
  const verdicts = judgeChannels(recording.channels);
  const channels = recording.channels.map((channel, i): Channel => {
    if (!channel.isCalibrated) return channel;
    if (channel.mvPerUnit !== undefined && !isPlausibleStep(channel.scale * channel.mvPerUnit)) {
      warnings.push(warning('scale_implausible', { label: channel.label }));
      return { ...channel, isCalibrated: false, scale: 1, offset: 0 };
    }
    if (channel.unit === '' && MAYBE_ECG.has(verdicts[i]?.kind)) {
      warnings.push(warning('unit_missing', { label: channel.label }));
      return { ...channel, isCalibrated: false };
    }
    return channel;
  });
  return warnings.length === 0
    ? recording
    : { ...recording, channels, warnings: [...recording.warnings, ...warnings] };
}

/** The recording with what comparing its checksums brings to light among its warnings. */
export function withIntegrityChecked(recording: Recording): Recording {
  const found = recording.checkIntegrity?.() ?? [];
  return found.length === 0 ? recording : { ...recording, warnings: [...recording.warnings, ...found] };
}

/** For a file whose channels have no rate. */
export const rateNotStated = (): RefusedRecord =>
  refused(
    'rate_not_stated',
    'The file does not say how many samples a second it has. Import it and type the rate, or give it with --channels, as in "#1=II 250Hz".',
  );

/**
 * A record of `MIN_SECONDS` … 35 days, at most 100 kHz, at most 128 signals with at least one voltage, all
 * files there (D54, D56).
 */
const MIN_SECONDS = 1;
const MAX_SECONDS = 35 * 86_400;
const MAX_RATE_HZ = 100_000;

/**
 * Checks that a record can be taken on for analysis at all; what is shorter or odder than usual is the
 * analysis' matter.
 */
export function admit(result: ReadResult): ReadResult {
  if (!result.ok) return result;
  const { channels, durationSeconds, missingFiles = [] } = result.recording;
  if (missingFiles.length > 0)
    return refused(
      'record_incomplete',
      `The record names the file "${missingFiles[0]}", which is not here. Add it and try again.`,
    );
  const leads = ecgChannels(channels);
  if (leads.length === 0 && channels.some(({ isRateUnknown }) => isRateUnknown === true))
    return rateNotStated();
  if (channels.length === 0) return refused('no_ecg_record', 'The file holds remarks alone, and no signal.');
  if (leads.length === 0)
    return refused(
      'no_ecg_record',
      `The file holds no ECG, but ${contentsOf(channels)}. If one of these is an ECG, import the file and choose it, or name it with --channels.`,
    );
  if (channels.length > MOST_CHANNELS)
    return refused(
      'record_unreadable',
      `The file has ${channels.length} signals; at most ${MOST_CHANNELS} are read.`,
    );
  if (leads.some((channel) => rateHz(channel.rate) > MAX_RATE_HZ))
    return refused('record_unreadable', `The file states a sample rate above ${MAX_RATE_HZ} Hz.`);
  if (durationSeconds > MAX_SECONDS)
    return refused('record_too_long', 'The recording is longer than 35 days.');
  if (durationSeconds < MIN_SECONDS)
    return refused('record_unreadable', 'The recording is shorter than one second.');
  return result;
}
