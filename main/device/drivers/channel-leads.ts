// Each channel of a device as each single lead, for devices that do not say where their electrodes are.

import { type LeadSet, singleLead } from '../device-format.ts';

/** The lead set in which a channel, counted from 1, is a lead. */
const channelLeadId = (number: number, lead: string): string => `column-${number}:${lead}`;
const turnedLeadId = (id: string): string => `${id}:turned`;

export interface NumberedChannel {
  readonly name: string;
  /** Counted from 1: stays the same whatever else the device sends beside it. */
  readonly number: number;
  /** Among the channels of the format. */
  readonly place: number;
}

/**
 * Upright and upside down, the likeliest channel first: a person may know better.
 * @param first which of `channels` is the likeliest
 */
export function channelLeads(channels: readonly NumberedChannel[], first = 0): LeadSet[] {
  const others = [...channels.keys()].filter((i) => i !== first);
  return [first, ...others].flatMap((i) => {
    const { name: channelName, number, place } = channels[i] as NumberedChannel;
    return singleLead(place).flatMap((set): LeadSet[] => {
      const id = channelLeadId(number, set.id);
      const former = i === first ? { formerId: set.id } : {};
      const name = channels.length === 1 ? set.name : `${channelName}: ${set.name}`;
      const turned = set.leads.map((lead) => ({
        ...lead,
        terms: lead.terms.map((term) => ({ ...term, weight: -term.weight })),
      }));
      return [
        { ...set, id, ...former, name },
        { ...set, id: turnedLeadId(id), name: `${name}, upside down`, leads: turned },
      ];
    });
  });
}
