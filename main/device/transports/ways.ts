// The ways in which a device is reached: a serial port, or what the beginning of its path names. A new way is a
// line here, its transport, and its driver.

import { BLUETOOTH_PIPES, readBluetoothPath } from '../../../shared/bluetooth-pipes.ts';
import { BRAINFLOW } from '../drivers/brainflow/driver.ts';
import { LSL } from '../drivers/lsl/driver.ts';
import { isBrainFlowPath, openBrainFlow } from './brainflow.ts';
import { openLslStream } from './lsl.ts';
import { isLslPath, readLslPath } from './lsl-path.ts';
import { isReplayPath, openReplay } from './replay.ts';
import { isSimulatorPath, openSimulator } from './simulator.ts';
import type { OpenTransport } from './transport.ts';

export interface Way {
  readonly id: 'simulator' | 'replay' | 'lsl' | 'brainflow' | 'bluetooth';
  isMeant(path: string): boolean;
  /** Absent where the pages bring the bytes. */
  readonly open?: OpenTransport;
  /** The driver of what is behind a path; undefined where it must be found out. */
  driverOf(path: string): string | undefined;
  /** How a person knows the place; the path itself where that says it. */
  describe?(path: string): string;
  /** Somebody real is at the other end, who may come again: its name and leads are remembered. */
  readonly isLasting: boolean;
}

const WAYS: readonly Way[] = [
  {
    id: 'simulator',
    isMeant: isSimulatorPath,
    open: openSimulator,
    driverOf: (path) => path.split(/[:?]/)[1],
    isLasting: false,
  },
  { id: 'replay', isMeant: isReplayPath, open: openReplay, driverOf: () => undefined, isLasting: false },
  {
    id: 'lsl',
    isMeant: isLslPath,
    open: openLslStream,
    driverOf: () => LSL.id,
    describe: (path) => `LSL, ${readLslPath(path).sourceId ?? 'no source named'}`,
    isLasting: true,
  },
  {
    id: 'brainflow',
    isMeant: isBrainFlowPath,
    open: openBrainFlow,
    driverOf: () => BRAINFLOW.id,
    describe: (path) => `BrainFlow, ${path.slice(path.indexOf(':') + 1)}`,
    isLasting: true,
  },
  {
    id: 'bluetooth',
    isMeant: (path) => BLUETOOTH_PIPES.some(({ driver }) => driver === readBluetoothPath(path)?.driver),
    driverOf: (path) => readBluetoothPath(path)?.driver,
    describe: (path) => `Bluetooth, ${readBluetoothPath(path)?.deviceName ?? ''}`,
    isLasting: true,
  },
];

/** Undefined for a serial port. */
export const wayOf = (path: string): Way | undefined => WAYS.find((way) => way.isMeant(path));
