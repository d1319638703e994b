// A recording that is coming in frame by frame, and the device that it comes from.

import type { DeviceCommand, DeviceState } from '../../../shared/device-state.ts';
import type { LeadCode } from '../../../shared/signal/lead.ts';
import type { RecordedDevice, StreamScale } from '../../../shared/signal/stream-file.ts';
import type { StreamState } from './stream-state.ts';

/** What a stream's start agreed on; a second start must agree on the same (D72). */
export interface StreamParameters {
  readonly sampleRateHz: number;
  readonly leadCodes: readonly LeadCode[];
  readonly scale?: StreamScale;
}

/** Names the task, or the device that one waits for (D70, D71). */
export interface StreamStart {
  readonly taskId?: number | undefined;
  readonly deviceId?: string | undefined;
  readonly parameters: StreamParameters;
  /** A scale was begun and not finished: none is used. */
  readonly isScalePartial?: boolean;
  readonly deviceState?: DeviceState | undefined;
  /** 0 = not known. */
  readonly totalFrames?: number | undefined;
}

/** What a device reads when it asks (D77 to D79). */
export interface DeviceOrders {
  /** As it was reported last; absent before that. */
  readonly state: DeviceState | undefined;
  readonly command: DeviceCommand | undefined;
  /** Absent: until it is stopped. */
  readonly durationMs: number | undefined;
}

export interface StreamRow {
  /** The task behind the stream, which is also the stream's id. */
  readonly taskId: number;
  readonly parameters: StreamParameters;
  /** 0 = not known. */
  readonly totalFrames: number;
  /** Timestamp 0 of the stream, by the clock of this machine. */
  readonly startedMs: number;
  readonly state: Exclude<StreamState, 'absent'>;
  /** To a second. */
  readonly lastFrameMs: number | undefined;
  /** Frames that came again with other bytes (D75). */
  readonly conflicts: number;
  /** The device on the desk, for a recording of this workstation. */
  readonly device: RecordedDevice | undefined;
}

/** Something that happened in a recording of this workstation, at a sample of its stream. */
export interface RecordingEvent {
  readonly sample: number;
  readonly kind: string;
  /** End of a gap, bits of electrodes, milliseconds since 1970 of an anchor … by kind. */
  readonly value: number;
}

/** What the device on the desk brings along with a frame. */
export interface DeskFacts {
  readonly events: readonly RecordingEvent[];
}

export interface StoredFrame {
  readonly timestampUs: number;
  /** Per channel. */
  readonly samples: number;
  readonly crc32: number;
  /** As received. */
  readonly payload: Uint8Array;
}

/** What the device of a task reported, and what it is to do (D77 to D79). */
export interface DeviceLink {
  readonly deviceState: DeviceState | undefined;
  readonly heartbeatMs: number | undefined;
  readonly command: DeviceCommand | undefined;
  readonly commandMs: number | undefined;
  readonly customDurationMs: number | undefined;
}

/** What the clinic calls a device. */
export interface DeviceName {
  readonly identity: string;
  readonly name: string;
}

/** What was behind a device on the desk when it was used last: it is tried first the next time. */
export interface KnownDevice {
  /** USB identity; of a port without one its path. */
  readonly identity: string;
  readonly driver: string;
  readonly variant: string;
  readonly baud: number;
  readonly leadSet: string;
}
