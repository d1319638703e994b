// From the heart to the electrodes on the skin: potentials, what disturbs them, and what an electrode shows
// that has fallen off. Leads are differences of these, so that the limb leads always fit each other. Device
// protocols reference, 13.

import { highPass, lowPass } from '../../../shared/signal/butterworth.ts';
import { ELECTRODES, type Electrode } from '../../../shared/signal/electrode.ts';
import { RunningFilter } from '../../../shared/signal/running-filter.ts';
import { gaussian, type Random, seededRandom } from '../../signal/synthetic/random.ts';
import { type HeartOptions, SimulatedHeart } from './heart.ts';

export const NOISE_LEVELS = ['none', 'clean', 'normal', 'noisy'] as const;
export type NoiseLevel = (typeof NOISE_LEVELS)[number];

interface Noise {
  readonly wanderMv: number;
  readonly mainsMv: number;
  readonly muscleMv: number;
  readonly stepsPerMinute: number;
}

const NOISE: Readonly<Record<NoiseLevel, Noise>> = {
  none: { wanderMv: 0, mainsMv: 0, muscleMv: 0, stepsPerMinute: 0 },
  clean: { wanderMv: 0.05, mainsMv: 0.004, muscleMv: 0.008, stepsPerMinute: 0 },
  normal: { wanderMv: 0.15, mainsMv: 0.03, muscleMv: 0.02, stepsPerMinute: 1 },
  noisy: { wanderMv: 0.5, mainsMv: 0.2, muscleMv: 0.06, stepsPerMinute: 6 },
};

/** Dower's lead field: I, II, V1 to V6 from x, y, z. */
const LEAD_FIELD = [
  [0.632, -0.235, 0.059],
  [0.235, 1.066, -0.132],
  [-0.515, 0.157, -0.917],
  [0.044, 0.164, -1.387],
  [0.882, 0.098, -1.277],
  [1.213, 0.127, -0.601],
  [1.125, 0.127, -0.086],
  [0.831, 0.076, 0.23],
] as const;

const TURN = 2 * Math.PI;
const RAIL_MV = 300;
const RAIL_TIME_MS = 200;
const OFF_MAINS_MV = 1;
const RL_OFF_MAINS = 20;
const STEP_TIME_S = 0.3;
const MUSCLE_LOW_HZ = 20;
const MUSCLE_HIGH_HZ = 150;

interface Skin {
  readonly wanderFactor: number;
  readonly wanderPhase: number;
  readonly mainsFactor: number;
  readonly muscle: readonly RunningFilter[];
  motionMv: number;
  offSinceMs: number | undefined;
}

export interface ElectrodeOptions extends HeartOptions {
  readonly noise: NoiseLevel;
  readonly mainsHz: 50 | 60;
}

export class SimulatedElectrodes {
  readonly heart: SimulatedHeart;
  readonly #rateHz: number;
  readonly #noise: Noise;
  readonly #mainsHz: number;
  readonly #random: Random;
  readonly #skins: readonly Skin[];
  #sample = 0;

  constructor(options: ElectrodeOptions) {
    this.heart = new SimulatedHeart(options);
    this.#rateHz = options.rateHz;
    this.#noise = NOISE[options.noise];
    this.#mainsHz = options.mainsHz;
    const random = seededRandom(options.seed ^ 0x5eed);
    this.#random = random;
    this.#skins = ELECTRODES.map(() => ({
      wanderFactor: 0.5 + 0.7 * random(),
      wanderPhase: TURN * random(),
      mainsFactor: 0.6 + 0.8 * random(),
      muscle: [
        new RunningFilter(highPass(MUSCLE_LOW_HZ, options.rateHz)),
        new RunningFilter(lowPass(MUSCLE_HIGH_HZ, options.rateHz)),
      ],
      motionMv: 0,
      offSinceMs: undefined,
    }));
  }

  /** Takes an electrode off the skin, or puts it back. */
  setContact(electrode: Electrode, hasContact: boolean): void {
    const skin = this.#skins[ELECTRODES.indexOf(electrode)] as Skin;
    if (hasContact) skin.offSinceMs = undefined;
    else skin.offSinceMs ??= (1000 * this.#sample) / this.#rateHz;
  }

  /** Bits of the electrodes without contact, 0 RA to 9 RL. */
  get off(): number {
    return this.#skins.reduce(
      (mask, { offSinceMs }, i) => (offSinceMs === undefined ? mask : mask | (1 << i)),
      0,
    );
  }

  /** Potentials of all electrodes in microvolts, one array each, of the next samples. */
  next(count: number): Float64Array[] {
    const [x, y, z] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
    this.heart.next(x, y, z);
    const potentials = ELECTRODES.map(() => new Float64Array(count));
    const lead = (n: number, i: number): number => {
      const [a, b, c] = LEAD_FIELD[n] as readonly [number, number, number];
      return a * (x[i] as number) + b * (y[i] as number) + c * (z[i] as number);
    };
    const isRlOff = this.#skins[ELECTRODES.length - 1]?.offSinceMs !== undefined;
    const mv = new Float64Array(ELECTRODES.length);
    for (let i = 0; i < count; i++, this.#sample++) {
      const [one, two] = [lead(0, i), lead(1, i)];
      const leg = (2 * two - one) / 3;
      mv[0] = -(one + two) / 3;
      mv[1] = (2 * one - two) / 3;
      mv[2] = leg;
      for (let n = 2; n < LEAD_FIELD.length; n++) mv[n + 1] = lead(n, i);
      // Both legs have the potential of the trunk's lower end.
      mv[LEAD_FIELD.length + 1] = leg;
      const timeMs = (1000 * this.#sample) / this.#rateHz;
      const mains = this.#mainsAt(timeMs / 1000);
      for (let e = 0; e < mv.length; e++)
        (potentials[e] as Float64Array)[i] =
          1000 * ((mv[e] as number) + this.#disturbance(this.#skins[e] as Skin, timeMs, mains, isRlOff));
    }
    return potentials;
  }

  #mainsAt(seconds: number): number {
    return Math.sin(TURN * this.#mainsHz * seconds) + 0.15 * Math.sin(3 * TURN * this.#mainsHz * seconds);
  }

  #disturbance(skin: Skin, timeMs: number, mains: number, isRlOff: boolean): number {
    const t = timeMs / 1000;
    const { wanderMv, mainsMv, muscleMv, stepsPerMinute } = this.#noise;
    let mv = mainsMv * (isRlOff ? RL_OFF_MAINS : 1) * skin.mainsFactor * mains;
    if (wanderMv > 0)
      mv +=
        wanderMv *
        skin.wanderFactor *
        (0.6 * Math.sin(TURN * 0.25 * t + skin.wanderPhase) +
          0.4 * Math.sin(TURN * 0.07 * t + 2 * skin.wanderPhase));
    if (muscleMv > 0) {
      const band = Math.min(MUSCLE_HIGH_HZ, 0.45 * this.#rateHz) - MUSCLE_LOW_HZ;
      // White noise over half the rate has this much more power than its band.
      const white = muscleMv * Math.sqrt(this.#rateHz / 2 / Math.max(1, band)) * gaussian(this.#random);
      mv += skin.muscle.reduce((value, filter) => filter.next(value), white);
    }
    if (stepsPerMinute > 0) {
      if (this.#random() < stepsPerMinute / 60 / this.#rateHz)
        skin.motionMv += (0.2 + 0.8 * this.#random()) * (this.#random() < 0.5 ? -1 : 1);
      skin.motionMv *= Math.exp(-1 / (STEP_TIME_S * this.#rateHz));
      mv += skin.motionMv;
    }
    if (skin.offSinceMs !== undefined)
      mv += RAIL_MV * (1 - Math.exp(-(timeMs - skin.offSinceMs) / RAIL_TIME_MS)) + OFF_MAINS_MV * mains;
    return mv;
  }
}

/** A weighted sum of electrodes. */
export type Wiring = readonly (readonly [Electrode, number])[];

const THIRD = 1 / 3;
const WILSON: Wiring = [
  ['RA', -THIRD],
  ['LA', -THIRD],
  ['LL', -THIRD],
];

/** How each lead is wired. */
export const LEAD_WIRING: Readonly<Record<string, Wiring>> = {
  I: [
    ['LA', 1],
    ['RA', -1],
  ],
  II: [
    ['LL', 1],
    ['RA', -1],
  ],
  III: [
    ['LL', 1],
    ['LA', -1],
  ],
  AVR: [
    ['RA', 1],
    ['LA', -0.5],
    ['LL', -0.5],
  ],
  AVL: [
    ['LA', 1],
    ['RA', -0.5],
    ['LL', -0.5],
  ],
  AVF: [
    ['LL', 1],
    ['RA', -0.5],
    ['LA', -0.5],
  ],
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((n): [string, Wiring] => [`V${n}`, [[`C${n}` as Electrode, 1], ...WILSON]]),
  ),
};
