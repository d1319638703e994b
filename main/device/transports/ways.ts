// The ways in which a device is reached: a serial port, or what the beginning of its path names. A new way is a
// line here, its transport, and its driver.

import { BRAINFLOW } from '../drivers/brainflow/driver.ts';
import { LSL } from '../drivers/lsl/driver.ts';
import { isBrainFlowPath, openBrainFlow } from './brainflow.ts';
import { openLslStream } from './lsl.ts';
import { isLslPath } from './lsl-path.ts';
import { isReplayPath, openReplay } from './replay.ts';
import { isSimulatorPath, openSimulator } from './simulator.ts';
import type { OpenTransport } from './transport.ts';

export interface Way {
  readonly id: 'simulator' | 'replay' | 'lsl' | 'brainflow';
  isMeant(path: string): boolean;
  readonly open: OpenTransport;
  /** The driver of what is behind a path; undefined where it must be found out. */
  driverOf(path: string): string | undefined;
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
  { id: 'lsl', isMeant: isLslPath, open: openLslStream, driverOf: () => LSL.id, isLasting: true },
  {
    id: 'brainflow',
    isMeant: isBrainFlowPath,
    open: openBrainFlow,
    driverOf: () => BRAINFLOW.id,
    isLasting: true,
  },
];

/** Undefined for a serial port. */
export const wayOf = (path: string): Way | undefined => WAYS.find((way) => way.isMeant(path));
