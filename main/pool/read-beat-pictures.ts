// Pictures of beats that no stored result has: of a family that somebody has divided, or of the two halves that it would have.

import { withDerivedLeads } from '../../shared/signal/derived-leads.ts';
import type { Recording } from '../../shared/signal/recording.ts';
import { cutBeat, densityOf, drawBeat, meanUvOf, noBeats } from '../analysis/long/beat-picture.ts';
import { halvesOf } from '../analysis/long/halves.ts';
import { openLeads, toCoarse } from '../analysis/signal/lead-signals.ts';
import type { BeatPictures, PicturesWanted } from '../clinic/ports.ts';

/** Beats of so long a stretch are read together. */
const STRETCH_SECONDS = 300;
const MARGIN_SECONDS = 1;

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength).slice();

/** A row each, as they are drawn. */
function cutBeats(recording: Recording, leadNames: readonly string[], samples: Uint32Array): Float32Array[] {
  const all = openLeads(withDerivedLeads(recording));
  const indices = leadNames.map((name) =>
    Math.max(
      0,
      all.leads.findIndex((lead) => lead.name === name),
    ),
  );
  // The reader keeps the order of the recording, and a lead only once.
  const chosen = [...new Set(indices)].sort((a, b) => a - b);
  const reader = all.only(chosen);
  const leads = indices.map((index) => chosen.indexOf(index));
  const stretch = STRETCH_SECONDS * reader.sampleRateHz;
  const margin = MARGIN_SECONDS * reader.sampleRateHz;
  const rows: Float32Array[] = [];
  for (let i = 0; i < samples.length; ) {
    const start = Math.floor((samples[i] as number) / stretch) * stretch;
    const from = Math.max(0, start - margin);
    const { coarse } = reader.window(from, Math.min(reader.sampleCount, start + stretch + margin));
    for (; i < samples.length && (samples[i] as number) < start + stretch; i++)
      rows.push(cutBeat(coarse, leads, toCoarse((samples[i] as number) - from, coarse)));
  }
  return rows;
}

export function readBeatPictures(recording: Recording, wanted: PicturesWanted): BeatPictures {
  const { leads, samples, cellMv, isHalved } = wanted;
  const rows = cutBeats(recording, leads, new Uint32Array(Uint8Array.from(samples).buffer));
  const half = isHalved ? halvesOf(rows) : new Uint8Array(rows.length);
  const drawn = (isHalved ? [0, 1] : [0]).map(() => noBeats(leads.length));
  for (const [i, row] of rows.entries()) {
    const own = drawn[half[i] as number];
    if (own !== undefined) drawBeat(own, row, cellMv);
  }
  return {
    half,
    pictures: drawn
      .filter(({ count }) => count > 0)
      .map((beats) => ({
        beats: beats.count,
        density: leads.map((_, lead) => densityOf(beats, lead)),
        meanUv: leads.map((_, lead) => bytesOf(Int32Array.from(meanUvOf(beats, lead)))),
      })),
  };
}
