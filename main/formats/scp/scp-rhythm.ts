// The rhythm of an SCP-ECG record: sections 3 to 6 put together into nanovolts. Leads may be stored as they
// are or as what is left when a reference beat is taken away, and with or without fewer samples between the
// beats ("bimodal"). Formats reference, sections 3.4 to 3.6.

import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import type { Deviations } from '../deviations.ts';
import { decodeHuffman, type HuffmanTables } from './scp-huffman.ts';

const LEAD_ENTRY_BYTES = 9;
const RHYTHM_HEADER_BYTES = 6;
const ZONE_BYTES = 14;
const PROTECTED_AREA_BYTES = 8;
const DEFAULT_DECIMATION = 4;
const MAX_DECIMATION = 16;
/** A lead of more would be no resting ECG, but a damaged number. */
const MAX_LEAD_SAMPLES = 2 ** 24;
/** The most samples of all leads together, which are held in memory. */
const MAX_SAMPLES = 2 ** 26;

export interface ScpLead {
  readonly id: number;
  /** First and last sample, counted from 1. */
  readonly first: number;
  readonly last: number;
}

export interface ScpRhythm {
  /** The interval between samples in `leads`. */
  readonly intervalUs: number;
  readonly isCalibrated: boolean;
  /** Nanovolts, all of one length; what a lead lacks is INVALID_SAMPLE. */
  readonly leads: readonly { readonly id: number; readonly samples: Int32Array }[];
}

/** A stretch in samples counted from 0, end included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Where a beat was taken away from the signal: `fiducial` fits onto the fiducial of the reference beat.
 * Counted from 1.
 */
interface SubtractionZone {
  readonly type: number;
  readonly first: number;
  readonly fiducial: number;
  readonly last: number;
}

interface BeatLocations {
  readonly referenceLengthMs: number;
  readonly referenceFiducial: number;
  readonly zones: readonly SubtractionZone[];
  readonly protectedAreas: readonly Span[];
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export interface LeadTable {
  readonly isReferenceSubtracted: boolean;
  readonly leads: readonly ScpLead[];
}

/** Section 3. */
export function parseLeadTable(body: Uint8Array): LeadTable | undefined {
  const count = body[0] ?? 0;
  if (count === 0 || 2 + count * LEAD_ENTRY_BYTES > body.length) return undefined;
  const view = viewOf(body);
  const leads = Array.from({ length: count }, (_, i): ScpLead => {
    const at = 2 + i * LEAD_ENTRY_BYTES;
    return { first: view.getUint32(at, true), last: view.getUint32(at + 4, true), id: view.getUint8(at + 8) };
  });
  return { isReferenceSubtracted: ((body[1] as number) & 1) === 1, leads };
}

/** Section 4; files without protected areas end behind the zones. */
function parseBeatLocations(body: Uint8Array | undefined): BeatLocations | undefined {
  if (body === undefined || body.length < 6) return undefined;
  const view = viewOf(body);
  const count = view.getUint16(4, true);
  const zones: SubtractionZone[] = [];
  let at = 6;
  for (let i = 0; i < count && at + ZONE_BYTES <= body.length; i++, at += ZONE_BYTES)
    zones.push({
      type: view.getUint16(at, true),
      first: view.getUint32(at + 2, true),
      fiducial: view.getUint32(at + 6, true),
      last: view.getUint32(at + 10, true),
    });
  const protectedAreas: Span[] = [];
  for (let i = 0; i < count && at + PROTECTED_AREA_BYTES <= body.length; i++, at += PROTECTED_AREA_BYTES) {
    const [from, to] = [view.getUint32(at, true) - 1, view.getUint32(at + 4, true) - 1];
    if (from >= 0 && to >= from) protectedAreas.push({ from, to });
  }
  return {
    referenceLengthMs: view.getUint16(0, true),
    referenceFiducial: view.getUint16(2, true),
    zones,
    protectedAreas,
  };
}

/** Head of section 5 or 6 and the bytes of every lead. */
interface StoredLeads {
  readonly nanovoltsPerUnit: number;
  readonly intervalUs: number;
  readonly encoding: number;
  readonly bimodalByte: number;
  readonly bytes: readonly Uint8Array[];
}

function parseStoredLeads(body: Uint8Array | undefined, leadCount: number): StoredLeads | undefined {
  if (body === undefined || body.length < RHYTHM_HEADER_BYTES + 2 * leadCount) return undefined;
  const view = viewOf(body);
  let at = RHYTHM_HEADER_BYTES + 2 * leadCount;
  const bytes = Array.from({ length: leadCount }, (_, i) => {
    const start = at;
    at += view.getUint16(RHYTHM_HEADER_BYTES + 2 * i, true);
    return body.subarray(start, at);
  });
  return {
    nanovoltsPerUnit: view.getUint16(0, true),
    intervalUs: view.getUint16(2, true),
    encoding: view.getUint8(4),
    bimodalByte: view.getUint8(5),
    bytes,
  };
}

/** Unpacks up to `count` values and undoes the differences. */
function unpack(
  bytes: Uint8Array,
  count: number,
  encoding: number,
  tables: HuffmanTables | undefined,
): Int32Array {
  // Neither packing has more samples than bits: a count that claims more must not drive the allocation.
  const values = new Int32Array(Math.min(count, tables === undefined ? bytes.length >> 1 : bytes.length * 8));
  let length = values.length;
  if (tables === undefined)
    for (let i = 0; i < length; i++)
      values[i] = (((bytes[2 * i + 1] as number) << 24) >> 16) | (bytes[2 * i] as number);
  else length = decodeHuffman(bytes, tables, values);
  for (let i = 1; i < length; i++) {
    if (encoding === 1) values[i] = (values[i] as number) + (values[i - 1] as number);
    else if (encoding === 2 && i >= 2)
      values[i] = (values[i] as number) + 2 * (values[i - 1] as number) - (values[i - 2] as number);
  }
  return values.subarray(0, length);
}

/** The stretches between the areas, within `count` samples. */
function between(areas: readonly Span[], count: number): { span: Span; isProtected: boolean }[] {
  const stretches: { span: Span; isProtected: boolean }[] = [];
  let next = 0;
  for (const { from, to } of [...areas].sort((a, b) => a.from - b.from)) {
    const start = Math.max(from, next);
    const end = Math.min(to, count - 1);
    if (end < start) continue;
    if (start > next) stretches.push({ span: { from: next, to: start - 1 }, isProtected: false });
    stretches.push({ span: { from: start, to: end }, isProtected: true });
    next = end + 1;
  }
  if (next < count) stretches.push({ span: { from: next, to: count - 1 }, isProtected: false });
  return stretches;
}

/**
 * Puts back the samples that were left out between the protected areas: every `factor`-th was stored, and the
 * rest of a stretch plainly.
 */
function expandBimodal(
  stored: Int32Array,
  count: number,
  areas: readonly Span[],
  factor: number,
): Int32Array {
  const full = new Int32Array(count);
  let at = 0;
  let to = 0;
  const take = (): number => stored[Math.min(at++, stored.length - 1)] ?? 0;
  for (const { span, isProtected } of between(areas, count)) {
    const length = span.to - span.from + 1;
    const decimated = isProtected ? 0 : Math.floor(length / factor);
    if (decimated > 0) {
      const half = Math.floor(factor / 2);
      let value = take();
      for (let i = 0; i < half; i++) full[to++] = value;
      for (let i = 1; i < decimated; i++) {
        const next = take();
        for (let j = 0; j < factor; j++) full[to++] = Math.trunc(value + (j * (next - value)) / factor);
        value = next;
      }
      for (let i = 0; i < factor - half; i++) full[to++] = value;
    }
    for (let i = decimated * factor; i < length; i++) full[to++] = take();
  }
  return full;
}

/** Mean of three, rounded, within every stretch; its first and last sample stay. */
function smoothBetween(samples: Int32Array, areas: readonly Span[], cuts: readonly number[]): void {
  const original = Int32Array.from(samples);
  const isCut = new Set(cuts);
  for (const { span, isProtected } of between(areas, samples.length)) {
    if (isProtected) continue;
    for (let i = span.from + 1; i < span.to; i++) {
      if (isCut.has(i)) continue;
      const sum = (original[i - 1] as number) + (original[i] as number) + (original[i + 1] as number);
      samples[i] = Math.trunc((sum + Math.sign(sum)) / 3);
    }
  }
}

interface Plan {
  readonly rhythm: StoredLeads;
  readonly reference: StoredLeads | undefined;
  readonly beats: BeatLocations | undefined;
  readonly tables: HuffmanTables | undefined;
  readonly isReferenceSubtracted: boolean;
}

/** How many samples stand for one stored sample between the beats of a record that is not stored whole. */
function decimationOf({ rhythm, reference }: Plan): number {
  if (rhythm.bimodalByte !== 1) return 1;
  const quotient =
    reference === undefined || reference.intervalUs === 0
      ? 1
      : Math.round(rhythm.intervalUs / reference.intervalUs);
  return quotient > 1 && quotient <= MAX_DECIMATION ? quotient : DEFAULT_DECIMATION;
}

function addReferenceBeats(
  samples: Int32Array,
  referenceNv: Int32Array,
  beats: BeatLocations,
  first: number,
  deviations: Deviations,
): void {
  for (const { type, first: zoneFirst, fiducial, last } of beats.zones) {
    if (type !== 0 || last === 0 || last < zoneFirst) continue;
    const shift = beats.referenceFiducial - fiducial - 1;
    const from = Math.max(zoneFirst, first);
    const to = Math.min(last, first + samples.length - 1);
    if (zoneFirst + shift < 0 || last + shift >= referenceNv.length) deviations.add('zone_beyond_reference');
    for (let s = Math.max(from, -shift); s <= to && s + shift < referenceNv.length; s++) {
      const at = s - first;
      if (samples[at] !== INVALID_SAMPLE)
        samples[at] = (samples[at] as number) + (referenceNv[s + shift] as number);
    }
  }
}

interface DecodedLead {
  readonly nanovolts: Int32Array;
  /** It had been stored with fewer samples between the beats. */
  readonly isExpanded: boolean;
}

function decodeLead(plan: Plan, lead: ScpLead, index: number, deviations: Deviations): DecodedLead {
  const { rhythm, reference, beats, tables } = plan;
  const declared = lead.last - lead.first + 1;
  const stored = unpack(rhythm.bytes[index] as Uint8Array, declared, rhythm.encoding, tables);
  const factor = stored.length < declared ? decimationOf(plan) : 1;
  // Areas and zones count from the beginning of the record, a lead from its own.
  const shift = lead.first - 1;
  const areas = (
    beats === undefined ? [] : beats.protectedAreas.length > 0 ? beats.protectedAreas : zoneSpans(beats)
  ).map(({ from, to }) => ({
    from: from - shift,
    to: to - shift,
  }));
  const full =
    factor === 1 ? stored : expandBimodal(stored, Math.min(declared, stored.length * factor), areas, factor);
  if (factor > 1) {
    const cuts =
      beats?.zones
        .filter(({ type }) => type === 0)
        .flatMap(({ first, last }) => [first - 1 - shift, last - 1 - shift]) ?? [];
    smoothBetween(full, areas, cuts);
  }
  // Files that say 0 … n for n samples exist: one sample less than announced is no loss.
  if (full.length < declared - 1)
    deviations.add('truncated.lead', { present: full.length, stated: declared });
  const nanovolts = scaled(full, rhythm.nanovoltsPerUnit, deviations);
  if (
    plan.isReferenceSubtracted &&
    beats !== undefined &&
    reference !== undefined &&
    reference.intervalUs > 0
  ) {
    const length = Math.floor((beats.referenceLengthMs * 1000) / reference.intervalUs);
    const beat = unpack(reference.bytes[index] as Uint8Array, length, reference.encoding, tables);
    addReferenceBeats(
      nanovolts,
      scaled(beat, reference.nanovoltsPerUnit, deviations),
      beats,
      lead.first,
      deviations,
    );
  }
  return { nanovolts, isExpanded: factor > 1 };
}

const zoneSpans = (beats: BeatLocations): Span[] =>
  beats.zones
    .filter(({ type, first, last }) => type === 0 && first > 0 && last >= first)
    .map(({ first, last }) => ({ from: first - 1, to: last - 1 }));

/**
 * Sixteen-bit values times a sixteen-bit factor always fit; what left sixteen bits by adding up differences
 * is no sample.
 */
function scaled(values: Int32Array, nanovoltsPerUnit: number, deviations: Deviations): Int32Array {
  let beyond = 0;
  const factor = nanovoltsPerUnit === 0 ? 1 : nanovoltsPerUnit;
  const nanovolts = Int32Array.from(values, (value) => {
    if (value >= -32768 && value <= 32767) return value * factor;
    beyond++;
    return INVALID_SAMPLE;
  });
  if (beyond > 0) deviations.add('sample_out_of_range', { count: beyond });
  return nanovolts;
}

export interface RhythmSections {
  readonly leadTable: LeadTable;
  readonly huffman: HuffmanTables | undefined;
  readonly beats: Uint8Array | undefined;
  readonly reference: Uint8Array | undefined;
  readonly rhythm: Uint8Array;
}

/** @returns the rhythm, or a sentence why it can't be had. */
export function readRhythm(sections: RhythmSections, deviations: Deviations): ScpRhythm | string {
  const { leads } = sections.leadTable;
  const rhythm = parseStoredLeads(sections.rhythm, leads.length);
  if (rhythm === undefined) return 'Its rhythm section is cut off.';
  if (rhythm.encoding > 2) return `Its samples are coded in a way (${rhythm.encoding}) that does not exist.`;
  if (rhythm.intervalUs === 0) return 'It does not tell its sample rate.';
  const start = Math.min(...leads.map(({ first }) => first));
  const end = Math.max(...leads.map(({ last }) => last));
  const isTooLong = end - start >= MAX_LEAD_SAMPLES || (end - start) * leads.length > MAX_SAMPLES;
  if (leads.some(({ first, last }) => last < first) || isTooLong)
    return 'It states a range of samples that cannot be.';
  const reference = parseStoredLeads(sections.reference, leads.length);
  const plan: Plan = {
    rhythm,
    reference,
    beats: parseBeatLocations(sections.beats),
    tables: sections.huffman,
    isReferenceSubtracted: sections.leadTable.isReferenceSubtracted,
  };
  if (
    plan.isReferenceSubtracted &&
    (plan.beats === undefined || reference === undefined || reference.encoding > 2)
  )
    return 'A reference beat was taken away from its signal, and the beat is not in the file.';
  const decoded = leads.map((lead, index) => decodeLead(plan, lead, index, deviations));
  // The time line goes as far as samples do: a stated end beyond all data would only be silence.
  const length = Math.max(
    0,
    ...decoded.map(({ nanovolts }, index) => (leads[index] as ScpLead).first - start + nanovolts.length),
  );
  const isExpanded = decoded.some((lead) => lead.isExpanded);
  return {
    intervalUs:
      isExpanded && reference !== undefined && reference.intervalUs > 0
        ? reference.intervalUs
        : rhythm.intervalUs,
    isCalibrated: rhythm.nanovoltsPerUnit > 0,
    leads: decoded.map(({ nanovolts }, index) => {
      const { id, first } = leads[index] as ScpLead;
      const placed = new Int32Array(length).fill(INVALID_SAMPLE);
      placed.set(nanovolts, first - start);
      return { id, samples: placed };
    }),
  };
}
