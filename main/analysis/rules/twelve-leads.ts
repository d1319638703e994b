// The standard leads as rules speak of them, and what the deflections of one say.

import type { Deflection } from '../measurements/lead-deflections.ts';
import type { LeadMeasurements } from '../measurements/lead-measurements.ts';
import type { Facts } from './facts.ts';
import type { Grounds } from './rule.ts';

export type LimbLead = 'I' | 'II' | 'III' | 'AVR' | 'AVL' | 'AVF';
export type ChestLead = 'V1' | 'V2' | 'V3' | 'V4' | 'V5' | 'V6';
export type Lead = LimbLead | ChestLead;

export const LIMB: readonly LimbLead[] = ['I', 'II', 'III', 'AVR', 'AVL', 'AVF'];
export const CHEST: readonly ChestLead[] = ['V1', 'V2', 'V3', 'V4', 'V5', 'V6'];
export const TWELVE: readonly Lead[] = [...LIMB, ...CHEST];

export const nameOf = (lead: Lead): string => `MDC_ECG_LEAD_${lead}`;

/** The names of those that were recorded, or follow from others. */
export const named = ({ leads, deflections }: Facts, wanted: readonly Lead[]): string[] =>
  wanted.map(nameOf).filter((name) => leads.includes(name) || deflections.has(name));

/** None where its shape is not known. */
export const onLead = ({ deflections }: Facts, lead: Lead): readonly Deflection[] =>
  deflections.get(nameOf(lead)) ?? [];

/** Undefined where its heights cannot be trusted. */
export const heightsOn = ({ leadMeasurements }: Facts, lead: Lead): LeadMeasurements | undefined =>
  leadMeasurements.get(nameOf(lead));

export const tallest = (lead: readonly Deflection[]): Deflection | undefined =>
  lead.reduce<Deflection | undefined>(
    (best, one) => (one.peakMv > Math.max(0, best?.peakMv ?? 0) ? one : best),
    undefined,
  );
export const upMv = (lead: readonly Deflection[]): number => tallest(lead)?.peakMv ?? 0;
export const downMv = (lead: readonly Deflection[]): number =>
  lead.reduce((most, { peakMv }) => Math.max(most, -peakMv), 0);

/** Reads R from the heights of a lead; 0 where the lead has none. */
export const rMv = (facts: Facts, lead: Lead): number => upMv(heightsOn(facts, lead)?.deflections ?? []);
export const sMv = (facts: Facts, lead: Lead): number => downMv(heightsOn(facts, lead)?.deflections ?? []);

/** Parts of the left ventricle, and the leads that look at them. */
const TERRITORIES: readonly (readonly [name: string, leads: readonly Lead[]])[] = [
  ['inferior', ['II', 'III', 'AVF']],
  ['septal', ['V1', 'V2']],
  ['anterior', ['V3', 'V4']],
  ['lateral', ['I', 'AVL', 'V5', 'V6']],
];

export const territoriesOf = (leads: readonly Lead[]): string =>
  TERRITORIES.filter(([, of]) => of.some((lead) => leads.includes(lead)))
    .map(([name]) => name)
    .join(', ');

/** As they are written: aVF, not AVF. */
export const written = (leads: readonly Lead[]): string =>
  leads.map((lead) => lead.replace('AV', 'aV')).join(', ');

/** Rounded as it is told: what is compared with a limit is what stands beside it. */
export const hundredths = (value: number): number => Math.round(100 * value) / 100;

/** A value of each lead beside what it is held against. @param leads whose heights are known */
export function leadGrounds(
  facts: Facts,
  leads: readonly Lead[],
  of: (heights: LeadMeasurements, lead: Lead) => number,
  limitOf: (lead: Lead) => number,
): Grounds {
  const each = (valueOn: (lead: Lead) => number): Record<string, number> =>
    Object.fromEntries(leads.map((lead) => [nameOf(lead), hundredths(valueOn(lead))]));
  return {
    leads: named(facts, leads),
    values: each((lead) => of(heightsOn(facts, lead) as LeadMeasurements, lead)),
    limits: each(limitOf),
  };
}
