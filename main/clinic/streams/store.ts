// What the domain needs of the store for streams and devices.

import type { RecordedDevice } from '../../../shared/signal/stream-file.ts';
import type {
  DeviceLink,
  DeviceName,
  KnownDevice,
  RecordingEvent,
  StoredFrame,
  StreamRow,
} from './records.ts';

export interface StreamStore {
  byId(taskId: number): StreamRow | undefined;
  open(): StreamRow[];
  countOpen(): number;
  add(stream: Pick<StreamRow, 'taskId' | 'parameters' | 'totalFrames' | 'startedMs' | 'device'>): void;
  setDevice(taskId: number, device: RecordedDevice): void;
  addEvents(taskId: number, events: readonly RecordingEvent[]): void;
  setTotalFrames(taskId: number, totalFrames: number): void;
  setStarted(taskId: number, startedMs: number): void;
  /** By how much the clock of this computer was set while it was recorded. */
  clockSetByMs(taskId: number): number;
  setState(taskId: number, state: StreamRow['state']): void;
  /** Removes a stream that has no frames. */
  remove(taskId: number): void;
  frameCrc32(taskId: number, timestampUs: number): number | undefined;
  /** @returns false where the timestamp is there already; nothing is stored then. */
  addFrame(taskId: number, frame: StoredFrame): boolean;
  countFrames(taskId: number): number;
  /** The one with the greatest timestamp. */
  lastFrame(taskId: number): Pick<StoredFrame, 'timestampUs' | 'samples'> | undefined;
  noteActivity(taskId: number, nowMs: number): void;
  /** @returns how many there are now. */
  noteConflict(taskId: number): number;
  /** In order of their timestamps. */
  frames(taskId: number, afterUs: number, limit: number): StoredFrame[];
  /** The one before which there are so many. */
  frameAt(taskId: number, index: number): StoredFrame | undefined;
  /** @returns how many were removed. */
  dropFrames(taskId: number, limit: number): number;
  /** Finished streams whose frames are in a file already. */
  withFramesLeftOver(): number[];
}

export interface DeviceStore {
  link(taskId: number): DeviceLink;
  setLink(taskId: number, link: DeviceLink): void;
  /** Tasks whose device has not obeyed yet. */
  withCommand(): number[];
  /** How the differences of a device were found to begin. */
  deltaStart(organizationId: number, deviceId: string): string | undefined;
  rememberDeltaStart(organizationId: number, deviceId: string, name: string): void;
}

export interface DeskDeviceStore {
  known(identity: string): KnownDevice | undefined;
  remember(device: KnownDevice, nowMs: number): void;
  /** What the clinic calls its devices, by identity. */
  names(): DeviceName[];
  /** @param name undefined: it is called as it calls itself */
  setName(identity: string, name: string | undefined): void;
}
