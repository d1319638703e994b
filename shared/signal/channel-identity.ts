// What a channel is by its label and its unit: every reader asks the same two tables.

import { matchLead } from './lead.ts';
import type { Channel } from './recording.ts';
import { mvPerUnit } from './unit.ts';

export type ChannelIdentity = Pick<Channel, 'label' | 'lead' | 'unit' | 'mvPerUnit'>;

export function identifyChannel(label: string, unit: string): ChannelIdentity {
  const lead = matchLead(label);
  const mv = mvPerUnit(unit);
  return { label, ...(lead !== undefined && { lead }), unit, ...(mv !== undefined && { mvPerUnit: mv }) };
}
