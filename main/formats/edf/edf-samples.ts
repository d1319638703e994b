// The samples of one signal of an EDF or BDF file: 16 or 24 bits, little-endian, a run of them in every data
// record.

import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import { firstIndex } from '../binary-search.ts';
import type { ByteSource } from '../byte-source.ts';
import { MissingRuns, type SampleRun } from '../missing-runs.ts';
import type { Stretch } from './edf-time-line.ts';

export interface RecordLayout {
  readonly headerBytes: number;
  readonly sampleBytes: 2 | 3;
  readonly recordBytes: number;
  readonly recordCount: number;
  readonly recordSeconds: number;
}

/** Samples [start, end) of the time line, stored from a record on. */
interface SamplePiece extends SampleRun {
  readonly firstRecord: number;
}

export interface SignalPlace {
  readonly offsetInRecord: number;
  readonly samplesPerRecord: number;
}

function decode16(bytes: Uint8Array, count: number, target: Int32Array, at: number): void {
  for (let i = 0; i < count; i++)
    target[at + i] = (((bytes[2 * i + 1] as number) << 24) >> 16) | (bytes[2 * i] as number);
}

function decode24(bytes: Uint8Array, count: number, target: Int32Array, at: number): void {
  for (let i = 0; i < count; i++) {
    const low = (bytes[3 * i] as number) | ((bytes[3 * i + 1] as number) << 8);
    target[at + i] = (((bytes[3 * i + 2] as number) << 24) >> 8) | low;
  }
}

/**
 * Reads any part of a signal's time line; what lies in a gap, is missing, or lies outside becomes
 * INVALID_SAMPLE.
 */
export class SignalReader {
  readonly sampleCount: number;
  readonly #source: ByteSource;
  readonly #layout: RecordLayout;
  readonly #place: SignalPlace;
  readonly #pieces: readonly SamplePiece[];
  readonly #missing: MissingRuns;

  constructor(
    source: ByteSource,
    layout: RecordLayout,
    place: SignalPlace,
    stretches: readonly Stretch[],
    missing: readonly SampleRun[],
    endSample?: number,
  ) {
    this.#source = source;
    this.#layout = layout;
    this.#place = place;
    this.#missing = new MissingRuns(missing);
    const rate = place.samplesPerRecord / layout.recordSeconds;
    let end = 0;
    this.#pieces = stretches.map(({ firstRecord, recordCount, startSeconds }) => {
      const start = Math.max(end, Math.round(startSeconds * rate));
      end = start + recordCount * place.samplesPerRecord;
      return { start, end, firstRecord };
    });
    // Behind the end that the file states there is nothing but what fills up the last record.
    this.sampleCount = Math.min(end, endSample ?? end);
  }

  read(startSample: number, target: Int32Array): void {
    target.fill(INVALID_SAMPLE);
    const endSample = Math.min(startSample + target.length, this.sampleCount);
    const first = firstIndex(this.#pieces.length, (i) => (this.#pieces[i]?.end ?? 0) > startSample);
    for (let i = first; i < this.#pieces.length && (this.#pieces[i]?.start ?? 0) < endSample; i++) {
      const piece = this.#pieces[i] as SamplePiece;
      const from = Math.max(startSample, piece.start);
      const to = Math.min(endSample, piece.end);
      if (from < to)
        this.#readPiece(piece.firstRecord, from - piece.start, to - piece.start, target, from - startSample);
    }
    this.#missing.mark(startSample, target);
  }

  #readPiece(firstRecord: number, from: number, to: number, target: Int32Array, at: number): void {
    const { headerBytes, recordBytes, sampleBytes } = this.#layout;
    const { offsetInRecord, samplesPerRecord } = this.#place;
    const decode = sampleBytes === 3 ? decode24 : decode16;
    for (let sample = from; sample < to; ) {
      const record = Math.floor(sample / samplesPerRecord);
      const inRecord = sample - record * samplesPerRecord;
      const wanted = Math.min(samplesPerRecord - inRecord, to - sample);
      const offset =
        headerBytes + (firstRecord + record) * recordBytes + offsetInRecord + sampleBytes * inRecord;
      const bytes = this.#source.read(offset, sampleBytes * wanted);
      // A file that shrank while it is read gives fewer bytes; the rest stays invalid.
      decode(bytes, Math.min(wanted, Math.floor(bytes.length / sampleBytes)), target, at + sample - from);
      sample += wanted;
    }
  }
}
