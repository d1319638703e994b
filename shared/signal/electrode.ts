// The electrodes of a twelve-lead ECG, and masks of those that have no contact: one bit each, in this order.

import type { LeadCode } from './lead.ts';

/**
 * Names of the American Heart Association; C1 to C6 are on the chest, RL is the reference of the amplifier.
 */
export const ELECTRODES = ['RA', 'LA', 'LL', 'C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'RL'] as const;
export type Electrode = (typeof ELECTRODES)[number];

/** Bit of an electrode of which the device can't say which it is. */
export const SOME_ELECTRODE = 1 << 15;

export const electrodeBit = (electrode: Electrode): number => 1 << ELECTRODES.indexOf(electrode);

/** Bits of all that have a name. */
export const ALL_ELECTRODES = (1 << ELECTRODES.length) - 1;

export const electrodesOf = (mask: number): Electrode[] =>
  ELECTRODES.filter((_, i) => (mask & (1 << i)) !== 0);

const LIMBS: readonly Electrode[] = ['RA', 'LA', 'LL', 'RL'];

/**
 * Whether a lead means anything without this electrode: Wilson's terminal, against which the chest leads
 * stand, needs all three limbs.
 */
function needs(lead: LeadCode, electrode: Electrode): boolean {
  const name = lead.slice('MDC_ECG_LEAD_'.length);
  if (electrode === 'RL') return true;
  if (electrode.startsWith('C')) return name === `V${electrode.slice(1)}`;
  if (name === 'I') return electrode !== 'LL';
  if (name === 'II') return electrode !== 'LA';
  if (name === 'III') return electrode !== 'RA';
  return LIMBS.includes(electrode);
}

/** Bits of those of the leads that mean nothing while the electrodes of a mask have no contact. */
export function deadLeads(leads: readonly LeadCode[], mask: number): number {
  const off = electrodesOf(mask);
  return leads.reduce(
    (bits, lead, i) => (off.some((electrode) => needs(lead, electrode)) ? bits | (1 << i) : bits),
    0,
  );
}

/**
 * Electrodes that seem to have no contact, for devices that do not measure it: every lead that needs them is
 * without a usable signal.
 * @param isUsable one a lead
 */
export function suspectElectrodes(leads: readonly LeadCode[], isUsable: readonly boolean[]): number {
  return ELECTRODES.reduce((mask, electrode) => {
    const own = leads.flatMap((lead, i) => (needs(lead, electrode) ? [isUsable[i] === true] : []));
    return own.length > 0 && !own.includes(true) ? mask | electrodeBit(electrode) : mask;
  }, 0);
}
