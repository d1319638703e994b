// A synthetic ECG as a recording, as a reader would give it.

import {
  type SyntheticEcg,
  type SyntheticOptions,
  synthesiseEcg,
} from '../../main/signal/synthetic/synthetic-ecg.ts';
import { type LeadCode, leadName, matchLead, STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { type Channel, INVALID_SAMPLE, type Recording } from '../../shared/signal/recording.ts';

const LSB_UV = 1;

/** Makes a recording of integers. `edit` may change the raw samples of a lead. */
export function toRecording(
  ecg: SyntheticEcg,
  edit: (raw: Int32Array, lead: LeadCode) => void = () => undefined,
  scaleUv = LSB_UV,
): Recording {
  const channels = ecg.leads.map((lead, index): Channel => {
    const raw = Int32Array.from(ecg.samplesUv[index]!, (uv) => Math.round(uv / scaleUv));
    edit(raw, lead);
    return {
      label: leadName(lead),
      lead: matchLead(leadName(lead))!,
      unit: 'uV',
      mvPerUnit: 0.001,
      scale: scaleUv,
      offset: 0,
      isCalibrated: true,
      digitalMinimum: -32768,
      digitalMaximum: 32767,
      rate: { samples: ecg.sampleRateHz, seconds: 1 },
      sampleCount: raw.length,
      read(start, target) {
        for (let i = 0; i < target.length; i++) target[i] = raw[start + i] ?? INVALID_SAMPLE;
      },
    };
  });
  return {
    format: 'synthetic',
    channels,
    durationSeconds: ecg.samplesUv[0]!.length / ecg.sampleRateHz,
    patient: {},
    annotations: [],
    warnings: [],
  };
}

export const twelveLeads = (options: Partial<SyntheticOptions> = {}): SyntheticEcg =>
  synthesiseEcg({ leads: STANDARD_LEADS, sampleRateHz: 500, durationSeconds: 20, noiseUv: 5, ...options });
