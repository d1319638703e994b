// A synthetic ECG as a recording, as if it had been read from a file: integers with a scale.

import { identifyChannel } from '../../../shared/signal/channel-identity.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import {
  type Channel,
  INVALID_SAMPLE,
  type PatientFacts,
  type Recording,
} from '../../../shared/signal/recording.ts';
import type { SyntheticEcg } from './synthetic-ecg.ts';

export interface RecordedAs {
  /** Microvolts of one step of the converter, which has 16 bits. */
  readonly resolutionUv: number;
  readonly startTimeMs: number;
  readonly patient: PatientFacts;
  readonly deviceId?: string;
}

export function recordSynthetic(
  { leads, sampleRateHz, samplesUv }: Pick<SyntheticEcg, 'leads' | 'sampleRateHz' | 'samplesUv'>,
  { resolutionUv, startTimeMs, patient, deviceId }: RecordedAs,
): Recording {
  const channels = leads.map((code, index): Channel => {
    const uv = samplesUv[index] ?? new Float32Array(0);
    return {
      ...identifyChannel(leadName(code), 'uV'),
      scale: resolutionUv,
      offset: 0,
      isCalibrated: true,
      rate: { samples: sampleRateHz, seconds: 1 },
      sampleCount: uv.length,
      read(startSample, target) {
        for (let i = 0; i < target.length; i++) {
          const value = uv[startSample + i];
          target[i] =
            value === undefined
              ? INVALID_SAMPLE
              : Math.max(-32768, Math.min(32767, Math.round(value / resolutionUv)));
        }
      },
    };
  });
  return {
    format: 'synthetic',
    channels,
    durationSeconds: (samplesUv[0]?.length ?? 0) / sampleRateHz,
    startTime: { utcMs: startTimeMs, isZoneKnown: false },
    patient,
    ...(deviceId !== undefined && { deviceId }),
    annotations: [],
    warnings: [],
  };
}
