// Plays a recording into the live analysis, as if it were recorded now, and notes its alarms.

import { LiveAnalysis } from '../../main/signal/live/live-analysis.ts';
import type { LeadCode } from '../../shared/signal/lead.ts';
import { millivoltScale, type Recording, rateHz } from '../../shared/signal/recording.ts';

const PIECE_SECONDS = 1;

export interface LiveAlarm {
  readonly kind: string;
  /** Where it begins, to the second. */
  readonly atSeconds: number;
}

/** @param recording whose leads have one rate @returns each alarm once, however long it lasts */
export function liveAlarms({ channels }: Recording): LiveAlarm[] {
  const [first] = channels;
  if (first === undefined) return [];
  const rate = rateHz(first.rate);
  const live = new LiveAnalysis({
    rateHz: rate,
    leadCodes: channels.map(({ lead }) => lead?.code ?? ('MDC_ECG_LEAD_II' as LeadCode)),
    lsbUv: 1,
  });
  const piece = Math.round(PIECE_SECONDS * rate);
  const alarms: LiveAlarm[] = [];
  let last: string | undefined;
  for (let at = 0; at + piece <= first.sampleCount; at += piece) {
    const leads = channels.map((channel) => {
      const raw = new Int32Array(piece);
      channel.read(at, raw);
      const { scale, offset } = millivoltScale(channel);
      return raw.map((value) => Math.round(1000 * (value * scale + offset)));
    });
    live.push({ firstSample: at, leads, isAfterGap: false, saturated: 0 });
    const { arrest, rateAlarm } = live.findings();
    const kind = arrest ?? rateAlarm;
    if (kind !== undefined && kind !== last) alarms.push({ kind, atSeconds: at / rate });
    last = kind;
  }
  return alarms;
}
