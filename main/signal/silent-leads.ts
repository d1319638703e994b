// Leads without a signal: an electrode is off, or nothing was connected. No noise hides anything on them; there is nothing.

import type { LeadQuality } from '../../shared/analysis-result.ts';

/** A lead that works for less of the time shows nothing that could be read. */
const LEAST_USABLE = 0.1;

/** The line is flat somewhere, or samples are missing, and nothing else is wrong with the lead. */
export const isCutOff = ({ flags }: LeadQuality): boolean =>
  (flags.includes('flat') || flags.includes('gap')) &&
  flags.every((flag) => flag === 'flat' || flag === 'gap' || flag === 'uncalibrated');

/** There is no line from beginning to end, or nearly so. */
export const isSilent = (lead: LeadQuality): boolean => isCutOff(lead) && lead.usableShare < LEAST_USABLE;

/** Where most samples of every lead are missing, and no line is flat, the leads were recorded one after another. */
export const areInTurn = (leads: readonly LeadQuality[]): boolean =>
  leads.length > 0 &&
  leads.every(({ grade, flags }) => grade === 'poor' && flags.includes('gap') && !flags.includes('flat'));
