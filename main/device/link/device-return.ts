// Takes up a device that was away, where and when it comes back.

import { setTimeout as wait } from 'node:timers/promises';
import { IsolineError } from '../../../shared/errors.ts';
import type { PortInfo } from '../transports/transport.ts';

/** While a device is away, so often its port is looked for. */
const RETURN_MS = 250;
/** A device that came back and still streams is not started again: its counter then tells the gap. */
const LISTEN_MS = 400;
const FIRST_SAMPLES_MS = 2000;
const LOOK_MS = 10;

/** What a link does for the return of its device. */
export interface Absentee {
  /** Where the device is now, if it is anywhere. */
  find(): PortInfo | undefined;
  open(port: PortInfo): Promise<void>;
  /** When samples came last, by the monotonic clock. */
  lastSamplesMs(): number;
  /** Absent where the device starts by itself. */
  readonly restart: { readonly settleMs: number; run(): Promise<void> } | undefined;
  close(): Promise<void>;
  /** Why it could not be taken up this time. */
  onTrouble(error: unknown): void;
}

/** @returns when the device sends samples again, or the signal says that nobody waits for it any more. */
export async function untilReturned(device: Absentee, signal: AbortSignal): Promise<void> {
  for (;;) {
    await wait(RETURN_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const port = device.find();
    if (port === undefined) continue;
    try {
      await takeUp(device, port, signal);
      signal.throwIfAborted();
      return;
    } catch (error) {
      // Not there yet, or not awake: it is tried again as long as somebody wants it.
      await device.close();
      if (!signal.aborted) device.onTrouble(error);
    }
  }
}

async function takeUp(device: Absentee, port: PortInfo, signal: AbortSignal): Promise<void> {
  await device.open(port);
  const openedMs = performance.now();
  const hasSamples = (): boolean => device.lastSamplesMs() > openedMs;
  const samplesWithin = async (limitMs: number): Promise<boolean> => {
    for (const endMs = performance.now() + limitMs; performance.now() < endMs && !hasSamples(); )
      await wait(LOOK_MS, undefined, { signal });
    return hasSamples();
  };
  if (await samplesWithin(LISTEN_MS)) return;
  if (device.restart !== undefined) {
    await wait(device.restart.settleMs, undefined, { signal });
    if (!hasSamples()) await device.restart.run();
  }
  if (!(await samplesWithin(FIRST_SAMPLES_MS)))
    throw new IsolineError('device_silent', 'The device is back but is not sending yet.');
}
