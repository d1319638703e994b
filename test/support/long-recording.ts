// A recording of hours as an EDF file, made of a short one that begins again and again.

import { edfBytes } from '../../main/formats/edf/write-edf.ts';
import { synthesiseEcg } from '../../main/signal/synthetic/synthetic-ecg.ts';
import type { Recording } from '../../shared/signal/recording.ts';
import { endlessChannel } from './endless-recording.ts';
import { toRecording } from './synthetic-recording.ts';

/** Three leads at 250 Hz, a patient's name with it. */
export function longEdf(hours: number, lastName = 'Day'): Buffer {
  const once = toRecording(
    synthesiseEcg({
      leads: ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V1'],
      sampleRateHz: 250,
      durationSeconds: 60,
      noiseUv: 20,
    }),
  );
  const channels = once.channels.map((channel) => {
    const samples = new Int32Array(channel.sampleCount);
    channel.read(0, samples);
    return endlessChannel(channel, samples, 250, hours * 3600);
  });
  const recording: Recording = {
    ...once,
    channels,
    durationSeconds: hours * 3600,
    patient: { lastName },
    startTime: { utcMs: Date.UTC(2026, 0, 2, 8), isZoneKnown: true },
  };
  return Buffer.concat([...edfBytes(recording)].map((bytes) => Uint8Array.from(bytes)));
}
