// Which electrodes a device has, and which of them have no contact, as far as its signal tells.

import type { DeskDevice } from '../../shared/bridge/views.ts';
import { type Electrode, suspectElectrodes } from '../../shared/signal/electrode.ts';
import type { LiveFindings } from '../../shared/signal/live/live-findings.ts';

/** Electrodes that a device has, by the leads that it measures. */
export function usedElectrodes({ leads }: DeskDevice): ReadonlySet<Electrode> {
  const chest = leads.flatMap((lead) => {
    const match = /V([1-6])$/.exec(lead);
    return match === null ? [] : [`C${match[1]}` as Electrode];
  });
  return new Set<Electrode>(['RA', 'LA', 'LL', 'RL', ...chest]);
}

/**
 * Whether there is a signal now of which something can be said: nothing is said of that of a device that is
 * lost.
 */
export const isMeasured = (
  { state }: DeskDevice,
  findings: LiveFindings | undefined,
): findings is LiveFindings =>
  state !== 'lost' &&
  findings !== undefined &&
  findings.quality.length > 0 &&
  !findings.quality.includes('pending');

/**
 * Electrodes without contact: those that the device names, and those whose leads all show no usable signal.
 */
export function offElectrodes(
  { leads, electrodesOff, state }: DeskDevice,
  findings: LiveFindings | undefined,
): number {
  if (findings === undefined || findings.quality.length !== leads.length || state === 'lost')
    return electrodesOff;
  const usable = findings.quality.map((word) => word !== 'noSignal' && word !== 'veryNoisy');
  return electrodesOff | suspectElectrodes(leads, usable);
}
