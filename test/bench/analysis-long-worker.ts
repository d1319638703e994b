// Analyses one long recording and prints what it took; see analysis-long.ts, which starts it.

import { join } from 'node:path';
import { analyse } from '../../main/analysis/analyse.ts';
import { openLeads } from '../../main/analysis/signal/lead-signals.ts';
import { sectionsOf } from '../../main/analysis/signal/sections.ts';
import { filterZeroPhase, highPass, lowPass } from '../../shared/signal/butterworth.ts';
import { type Channel, type Recording, rateHz } from '../../shared/signal/recording.ts';
import { endlessChannel } from '../support/endless-recording.ts';
import { dataFolder, recordingFrom } from '../support/test-data.ts';

const [hours = 24, leadCount = 3, sampleRateHz = 250] = process.argv.slice(2).map(Number);

/** Resampled by taking the nearest sample. */
function resampled(channel: Channel): Int32Array {
  const own = new Int32Array(channel.sampleCount);
  channel.read(0, own);
  const step = rateHz(channel.rate) / sampleRateHz;
  return Int32Array.from(
    { length: Math.floor(own.length / step) },
    (_, i) => own[Math.floor(i * step)] as number,
  );
}

const source = recordingFrom(join(dataFolder, 'wfdb', '100.hea'));
const loops = source.channels.map(resampled);
const channels = Array.from({ length: leadCount }, (_, i) => {
  const from = i % loops.length;
  // None of them is a named lead: each is only looked at.
  const { lead: _lead, ...channel } = source.channels[from] as Channel;
  const once = loops[from] as Int32Array;
  return endlessChannel({ ...channel, label: `lead ${i + 1}` }, once, sampleRateHz, hours * 3600);
});
const recording: Recording = { ...source, channels };
let startMs = performance.now();
const { beats } = analyse(recording);
const seconds = (performance.now() - startMs) / 1000;
const peakMb = process.resourceUsage().maxRSS / 1000;
startMs = performance.now();
const reader = openLeads(recording);
for (const { core } of sectionsOf(reader.sampleCount, sampleRateHz))
  for (const { mv } of reader.window(...core).leads)
    filterZeroPhase(mv, [highPass(8, sampleRateHz), lowPass(25, sampleRateHz)], sampleRateHz);
const baselineSeconds = (performance.now() - startMs) / 1000;
process.stdout.write(
  `${JSON.stringify({
    name: `analysis: ${leadCount} leads, ${hours} h, ${sampleRateHz} Hz`,
    beats: beats.length,
    seconds: Math.round(10 * seconds) / 10,
    baselineSeconds: Math.round(10 * baselineSeconds) / 10,
    ratio: Math.round((10 * seconds) / baselineSeconds) / 10,
    peakMb: Math.round(peakMb),
  })}\n`,
);
