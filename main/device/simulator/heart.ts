// The simulated heart: a dipole that moves in three dimensions, sample after sample. Device protocols
// reference, 13.

import { type Random, seededRandom } from '../../signal/synthetic/random.ts';
import { type Beat, beatsOf, plateauAt, type Rhythm, type Wave } from './rhythms.ts';

/** Beats are asked for so far ahead that all their waves lie ahead, too. */
const AHEAD_MS = 1500;
const SIGMAS = 5;
const PLATEAU_FROM_MS = -40;
const PLATEAU_TO_MS = 700;
const BREATHING_HZ = 0.25;
const BREATHING_SHARE = 0.05;
const TURN = 2 * Math.PI;

interface ActiveWave {
  readonly wave: Wave;
  readonly fromMs: number;
  readonly toMs: number;
}

function extent(wave: Wave): ActiveWave {
  if (wave.kind === 'plateau')
    return { wave, fromMs: wave.atMs + PLATEAU_FROM_MS, toMs: wave.atMs + PLATEAU_TO_MS };
  return { wave, fromMs: wave.atMs - SIGMAS * wave.beforeMs, toMs: wave.atMs + SIGMAS * wave.afterMs };
}

function heightAt({ kind, atMs, beforeMs, afterMs }: Wave, timeMs: number): number {
  const offsetMs = timeMs - atMs;
  if (kind === 'plateau') return plateauAt(offsetMs);
  const sigma = offsetMs < 0 ? beforeMs : afterMs;
  return Math.exp(-(offsetMs * offsetMs) / (2 * sigma * sigma));
}

interface Oscillator {
  readonly frequencyHz: number;
  readonly amplitudeMv: number;
  readonly wobbleHz: number;
  readonly phases: readonly [number, number, number];
  phase: number;
}

const VF_START_MS = 1600;
const VF_FADE_MS = 60;

function fibrillationOscillators(random: Random): Oscillator[] {
  const table = [
    [4.2, 0.3, 0.17],
    [5.6, 0.24, 0.22],
    [6.9, 0.14, 0.27],
    [3.3, 0.16, 0.32],
  ] as const;
  return table.map(([frequencyHz, amplitudeMv, wobbleHz]) => ({
    frequencyHz,
    amplitudeMv,
    wobbleHz,
    phases: [TURN * random(), TURN * random(), TURN * random()],
    phase: 0,
  }));
}

/** Between these the shapes of the waves fit into a beat. */
export const HEART_RATE_BPM = { lowest: 40, highest: 150 };

export interface HeartOptions {
  readonly rhythm: Rhythm;
  readonly rateHz: number;
  readonly heartRateBpm?: number | undefined;
  readonly seed: number;
}

export interface SimulatedBeat {
  /** Peak of the main QRS wave. */
  readonly sample: number;
  readonly label: NonNullable<Beat['label']>;
}

export class SimulatedHeart {
  readonly #rateHz: number;
  readonly #rhythm: Rhythm;
  readonly #beats: Generator<Beat>;
  readonly #oscillators: Oscillator[];
  readonly #known: SimulatedBeat[] = [];
  #active: ActiveWave[] = [];
  #plannedMs = 0;
  #sample = 0;
  #atrialPhase = 0;

  constructor({ rhythm, rateHz, heartRateBpm, seed }: HeartOptions) {
    const random = seededRandom(seed);
    this.#rateHz = rateHz;
    this.#rhythm = rhythm;
    this.#beats = beatsOf(rhythm, heartRateBpm, random);
    this.#oscillators = rhythm === 'vf' ? fibrillationOscillators(random) : [];
  }

  /**
   * The truth about what was given out, and a little ahead. Taken once: a simulator that runs for days must
   * not keep it.
   */
  takeBeats(): SimulatedBeat[] {
    return this.#known.splice(0);
  }

  /** Adds the next samples' components in millivolts to three arrays of the same length. */
  next(x: Float64Array, y: Float64Array, z: Float64Array): void {
    const stepMs = 1000 / this.#rateHz;
    for (let i = 0; i < x.length; i++, this.#sample++) {
      const timeMs = this.#sample * stepMs;
      this.#plan(timeMs);
      let [sumX, sumY, sumZ] = [0, 0, 0];
      for (const { wave, fromMs, toMs } of this.#active) {
        if (
          wave.kind === 'spike'
            ? Math.round(wave.atMs / stepMs) !== this.#sample
            : timeMs < fromMs || timeMs > toMs
        )
          continue;
        const height = wave.kind === 'spike' ? 1 : heightAt(wave, timeMs);
        sumX += height * wave.vector[0];
        sumY += height * wave.vector[1];
        sumZ += height * wave.vector[2];
      }
      const breathing = 1 + BREATHING_SHARE * Math.sin((TURN * BREATHING_HZ * timeMs) / 1000);
      x[i] = sumX * breathing;
      y[i] = sumY * breathing;
      z[i] = sumZ * breathing;
      if (this.#rhythm === 'afib') this.#addAtrialWaves(x, y, z, i, timeMs / 1000);
      if (this.#rhythm === 'vf') this.#addFibrillation(x, y, z, i, timeMs);
    }
  }

  #plan(timeMs: number): void {
    if (timeMs + AHEAD_MS < this.#plannedMs) return;
    this.#active = this.#active.filter(({ toMs, wave }) => toMs >= timeMs || wave.atMs >= timeMs);
    while (this.#plannedMs <= timeMs + AHEAD_MS) {
      const { value: beat, done } = this.#beats.next();
      if (done || beat === undefined) {
        this.#plannedMs = Number.POSITIVE_INFINITY;
        return;
      }
      this.#active.push(...beat.waves.map(extent));
      if (beat.label !== undefined)
        this.#known.push({ sample: Math.round((beat.atMs * this.#rateHz) / 1000), label: beat.label });
      this.#plannedMs = beat.atMs;
    }
  }

  #addAtrialWaves(x: Float64Array, y: Float64Array, z: Float64Array, i: number, t: number): void {
    const frequencyHz = 6 + 0.6 * Math.sin(TURN * 0.23 * t + 1) + 0.35 * Math.sin(TURN * 0.61 * t);
    this.#atrialPhase += (TURN * frequencyHz) / this.#rateHz;
    const phase = this.#atrialPhase;
    const amplitude = 1 + 0.35 * Math.sin(TURN * 0.31 * t) + 0.2 * Math.sin(TURN * 0.83 * t + 2);
    const wave =
      amplitude * (Math.sin(phase) + 0.35 * Math.sin(2 * phase + 0.6) + 0.15 * Math.sin(3 * phase + 1.9));
    x[i] = (x[i] as number) - 0.015 * wave;
    y[i] = (y[i] as number) + 0.024 * wave;
    z[i] = (z[i] as number) - 0.055 * wave;
  }

  #addFibrillation(x: Float64Array, y: Float64Array, z: Float64Array, i: number, timeMs: number): void {
    const share = 1 / (1 + Math.exp(-(timeMs - VF_START_MS) / VF_FADE_MS));
    if (share < 1e-6) return;
    const t = timeMs / 1000;
    for (const [n, oscillator] of this.#oscillators.entries()) {
      const frequencyHz = oscillator.frequencyHz * (1 + 0.1 * Math.sin(TURN * oscillator.wobbleHz * t));
      oscillator.phase += (TURN * frequencyHz) / this.#rateHz;
      const size = share * oscillator.amplitudeMv * (0.55 + 0.45 * Math.sin(TURN * (0.21 + 0.13 * n) * t));
      x[i] = (x[i] as number) + size * Math.sin(oscillator.phase + oscillator.phases[0]);
      y[i] = (y[i] as number) + size * Math.sin(oscillator.phase + oscillator.phases[1]);
      z[i] = (z[i] as number) + size * Math.sin(oscillator.phase + oscillator.phases[2]);
    }
  }
}
