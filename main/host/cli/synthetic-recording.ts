// A made-up 12-lead recording as an EDF file, for the demonstration.

import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { edfBytes } from '../../formats/edf/write-edf.ts';
import { synthesiseEcg } from '../../signal/synthetic/synthetic-ecg.ts';
import { recordSynthetic } from '../../signal/synthetic/synthetic-recording.ts';

const SAMPLE_RATE_HZ = 500;
const RESOLUTION_UV = 1;

export function syntheticEdf(startTimeMs: number): Uint8Array {
  const ecg = synthesiseEcg({
    leads: STANDARD_LEADS,
    sampleRateHz: SAMPLE_RATE_HZ,
    durationSeconds: 20,
    heartRateBpm: 78,
    rhythm: 'pvc',
    noiseUv: 8,
    wanderUv: 60,
  });
  return Buffer.concat([
    ...edfBytes(
      recordSynthetic(ecg, { resolutionUv: RESOLUTION_UV, startTimeMs, patient: {}, deviceId: 'simulated' }),
    ),
  ]);
}
