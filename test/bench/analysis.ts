// Analysis: a ten-second 12-lead recording and the half hour of record 100, against one zero-phase filter
// pass over the same leads (the least that any analysis must do).

import { join } from 'node:path';
import { analyse } from '../../main/analysis/analyse.ts';
import { openLeads } from '../../main/analysis/signal/lead-signals.ts';
import { filterZeroPhase, highPass, lowPass } from '../../shared/signal/butterworth.ts';
import { dataFolder, recordingFrom } from '../support/test-data.ts';
import { compare } from './harness.ts';

export async function benchAnalysis(): Promise<void> {
  for (const [name, file, beats] of [
    ['12 leads, 10 s, 500 Hz', '1.hea', 7],
    ['2 leads, 30 min, 360 Hz', '100.hea', 2272],
  ] as const) {
    const recording = recordingFrom(join(dataFolder, 'wfdb', file));
    await compare({
      name: `analysis: ${name}`,
      work: () => analyse(recording),
      baseline: () => {
        const reader = openLeads(recording);
        const { leads, sampleRateHz: fs } = reader.window(0, reader.sampleCount);
        return leads.map((lead) => filterZeroPhase(lead.mv, [highPass(8, fs), lowPass(25, fs)], fs));
      },
      check: (result) => {
        if (result.beats.length !== beats) throw new Error(`${result.beats.length} beats`);
      },
    });
  }
}
