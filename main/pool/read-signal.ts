// What a screen shows of a recording, cut out of its files and its result.

import type { AnalysisResult } from '../../shared/analysis-result.ts';
import { given } from '../../shared/given.ts';
import { withDerivedLeads } from '../../shared/signal/derived-leads.ts';
import type { Recording } from '../../shared/signal/recording.ts';
import { type LeadSignal, openLeads } from '../analysis/signal/lead-signals.ts';
import type { ReviewMarks, SignalPart, SignalRange, SignalStrip } from '../clinic/ports.ts';

/** A beat that is cut off has no shape. */
const NO_SHAPE = 0xffffffff;

const STRIP_SECONDS = 10;
const STRIP_LEAD = 'MDC_ECG_LEAD_II';

/** Bytes of their own: what crosses a thread takes its whole buffer along. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength).slice();

const millivoltBytes = ({ mv, invalid }: Pick<LeadSignal, 'mv' | 'invalid'>): Uint8Array =>
  bytesOf(mv.map((value, i) => (invalid[i] === 1 ? Number.NaN : value)));

/**
 * The leads as they are analysed, and the limb leads that follow from them: at one rate, in millivolts. What lies beyond
 * the end is left out.
 */
export function readSignal(recording: Recording, { startSample, sampleCount }: SignalRange): SignalPart {
  const reader = openLeads(withDerivedLeads(recording));
  const start = Math.min(startSample, reader.sampleCount);
  const end = Math.min(start + sampleCount, reader.sampleCount);
  const { leads } = reader.window(start, end);
  return {
    sampleRateHz: reader.sampleRateHz,
    recordedSamples: reader.sampleCount,
    startSample: start,
    leads: leads.map((lead) => ({
      name: lead.name,
      isCalibrated: lead.isCalibrated,
      isStandard: lead.isStandard,
      mv: millivoltBytes(lead),
    })),
  };
}

/** The first seconds of lead II, or of the first lead there is. */
export function readStrip(recording: Recording): SignalStrip {
  const reader = openLeads(withDerivedLeads(recording));
  const { leads } = reader.window(
    0,
    Math.min(reader.sampleCount, Math.round(STRIP_SECONDS * reader.sampleRateHz)),
  );
  const lead = leads.find(({ name }) => name === STRIP_LEAD) ?? leads[0];
  return {
    sampleRateHz: reader.sampleRateHz,
    lead: lead?.name ?? '',
    isCalibrated: lead?.isCalibrated ?? false,
    mv: lead === undefined ? new Uint8Array() : millivoltBytes(lead),
  };
}

/** The places of all beats that are marked, in order; marks on one sample are one. */
function fiducialsOf({ beats, waves = [] }: Pick<AnalysisResult, 'beats' | 'waves'>): Uint32Array {
  const samples = new Set(beats.map(({ sample }) => sample));
  for (const { p, qrs, t } of waves)
    for (const at of [p, qrs, t].flatMap((span) => span ?? [])) samples.add(Math.max(0, Math.round(at)));
  return Uint32Array.from(samples).sort();
}

/** @param resultJson of the stored result */
export function readMarks(resultJson: Uint8Array): ReviewMarks {
  const stored = Buffer.from(resultJson).toString('utf8');
  const {
    beats,
    rhythms,
    episodes = [],
    medianBeat,
    assessments,
    paceSpikes = [],
    waves,
  } = JSON.parse(stored) as Partial<AnalysisResult> & Pick<AnalysisResult, 'beats' | 'rhythms'>;
  return {
    beatSamples: bytesOf(Uint32Array.from(beats, ({ sample }) => sample)),
    beatLabels: beats.map(({ label }) => label).join(''),
    beatShapes: bytesOf(Uint32Array.from(beats, ({ family, cluster }) => family ?? cluster ?? NO_SHAPE)),
    areFamilies: beats.some(({ family }) => family !== undefined),
    spikeSamples: bytesOf(Uint32Array.from(paceSpikes)),
    fiducialSamples: bytesOf(fiducialsOf({ beats, ...given({ waves }) })),
    rhythms,
    episodes,
    assessed: (assessments ?? []).filter(({ outcome }) => outcome !== 'notAssessed').map(({ code }) => code),
    ...given({ medianBeat }),
  };
}
