// Rhythms of the simulated heart as beats one after the other: when, of which kind, and the waves that each
// adds to the dipole. Shapes and times: device protocols reference, 13. What a rhythm does not change it has
// from the sinus beat.

import { gaussian, type Random } from '../../signal/synthetic/random.ts';

export const RHYTHMS = [
  'sinus',
  'afib',
  'pvc',
  'bigeminy',
  'vt',
  'vf',
  'pause',
  'avb1',
  'mobitz1',
  'mobitz2',
  'avb3',
  'lbbb',
  'rbbb',
  'paced',
  'stemi-anterior',
  'stemi-inferior',
  'asystole',
] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** x to the left, y to the feet, z to the back; millivolts. */
export type Vector = readonly [x: number, y: number, z: number];

/** An asymmetric Gaussian, or a plateau between two logistic steps, or a spike of one sample. */
export interface Wave {
  readonly kind: 'bump' | 'plateau' | 'spike';
  /** In milliseconds of the source. */
  readonly atMs: number;
  readonly beforeMs: number;
  readonly afterMs: number;
  readonly vector: Vector;
}

export interface Beat {
  /** The time of the main QRS wave. */
  readonly atMs: number;
  /** N normal, V ventricular, / paced; none for a P wave that leads to nothing. */
  readonly label: 'N' | 'V' | '/' | undefined;
  readonly waves: readonly Wave[];
}

type Shape = readonly (readonly [offsetMs: number, beforeMs: number, afterMs: number, vector: Vector])[];

const NORMAL_PR_MS = 160;
const P_VECTOR: Vector = [0.07, 0.1, 0.01];
const NORMAL_QRS: Shape = [
  [-22, 7, 7, [-0.12, -0.03, -0.22]],
  [0, 10, 11, [1.05, 0.75, 0.35]],
  [24, 10, 11, [-0.15, -0.15, 0.55]],
];
const NORMAL_T: Vector = [0.3, 0.2, -0.2];
const LBBB_QRS: Shape = [
  [-28, 16, 18, [0.4, 0.3, 0.55]],
  [22, 22, 24, [0.95, 0.25, 1]],
  [62, 14, 16, [0.55, 0.05, 0.35]],
];
const RBBB_QRS: Shape = [
  [-22, 7, 7, [-0.12, -0.03, -0.22]],
  [0, 10, 11, [1.05, 0.75, 0.35]],
  [26, 10, 12, [-0.1, -0.12, 0.38]],
  [62, 16, 20, [-0.62, 0.02, -0.62]],
];
const PVC_QRS: Shape = [
  [-30, 22, 26, [0.25, -0.4, 0.45]],
  [28, 30, 32, [0.75, -0.95, 1.05]],
];
const VT_QRS: Shape = [
  [-20, 24, 28, [-0.35, 0.55, -0.75]],
  [35, 28, 34, [-0.75, 0.65, -1]],
];
const PACED_QRS: Shape = [
  [30, 20, 22, [0.3, -0.45, 0.4]],
  [75, 30, 34, [0.7, -0.95, 0.95]],
];
const SPIKE: Vector = [1.2, -2.2, 0.6];

const scaled = ([x, y, z]: Vector, factor: number): Vector => [x * factor, y * factor, z * factor];
const bump = (atMs: number, beforeMs: number, afterMs: number, vector: Vector): Wave => ({
  kind: 'bump',
  atMs,
  beforeMs,
  afterMs,
  vector,
});
const shapeAt = (shape: Shape, atMs: number, factor = 1): Wave[] =>
  shape.map(([offsetMs, beforeMs, afterMs, vector]) =>
    bump(atMs + offsetMs, beforeMs, afterMs, scaled(vector, factor)),
  );
const pWave = (rMs: number, prMs: number): Wave => bump(rMs - prMs + 15, 22, 24, P_VECTOR);
const tWave = (atMs: number, vector: Vector, beforeMs = 60, afterMs = 38): Wave =>
  bump(atMs, beforeMs, afterMs, vector);
/** The QT time, by the interval before. */
const qtMs = (rrMs: number): number => 390 * Math.cbrt(rrMs / 1000);

interface NormalOptions {
  readonly prMs?: number | undefined;
  readonly qrs?: Shape;
  readonly t?: Vector;
  readonly extraQtMs?: number;
  readonly onsetMs?: number;
  readonly more?: (rMs: number) => Wave[];
}

/** A beat of the conduction system; without `prMs` there is no P wave. */
function conducted(rMs: number, rrMs: number, options: NormalOptions): Beat {
  const { prMs, qrs = NORMAL_QRS, t = NORMAL_T, extraQtMs = 0, onsetMs = 40, more } = options;
  const waves = [
    ...(prMs === undefined ? [] : [pWave(rMs, prMs)]),
    ...shapeAt(qrs, rMs),
    tWave(rMs + qtMs(rrMs) + extraQtMs - onsetMs - 76, t),
    ...(more?.(rMs) ?? []),
  ];
  return { atMs: rMs, label: 'N', waves };
}

const plateau =
  (vector: Vector) =>
  (rMs: number): Wave[] => [{ kind: 'plateau', atMs: rMs, beforeMs: 0, afterMs: 0, vector }];
const pvc = (rMs: number): Beat => ({
  atMs: rMs,
  label: 'V',
  waves: [...shapeAt(PVC_QRS, rMs), tWave(rMs + 430 - 55 - 100, [-0.45, 0.5, -0.6], 70, 50)],
});

/** Where the first beat lies. */
const FIRST_MS = 400;

interface Pace {
  readonly heartRateBpm: number;
  readonly random: Random;
}

/** RR with breathing and chance. */
function rrOf({ heartRateBpm, random }: Pace, atMs: number): number {
  return (
    (60_000 / heartRateBpm) *
    (1 + 0.03 * Math.sin(2 * Math.PI * 0.25 * (atMs / 1000)) + 0.02 * gaussian(random))
  );
}

function* regular(pace: Pace, options: NormalOptions): Generator<Beat> {
  for (let rMs = FIRST_MS, rrMs = rrOf(pace, 0); ; rrMs = rrOf(pace, rMs), rMs += rrMs)
    yield conducted(rMs, rrMs, options);
}

/** Gamma of shape 4 by four exponentials. */
const gamma4 = (random: Random): number =>
  -Math.log((1 - random()) * (1 - random()) * (1 - random()) * (1 - random())) / 4;

function* fibrillating({ heartRateBpm, random }: Pace): Generator<Beat> {
  for (let rMs = FIRST_MS, rrMs = 60_000 / heartRateBpm; ; rMs += rrMs) {
    yield conducted(rMs, rrMs, {});
    rrMs = 1000 * Math.max(0.36, 0.3 + gamma4(random) * (60 / heartRateBpm - 0.3));
  }
}

/** Every nth beat comes early and from the ventricle, with the full pause behind it. */
function* withPvcs(pace: Pace, every: number): Generator<Beat> {
  const rrMs = 60_000 / pace.heartRateBpm;
  for (let rMs = FIRST_MS, n = 1; ; n++) {
    if (n % every === 0) {
      yield pvc(rMs - 0.4 * rrMs);
      rMs += rrMs;
    } else {
      yield conducted(rMs, rrMs, { prMs: NORMAL_PR_MS });
      rMs += n % every === every - 1 ? rrMs : rrOf(pace, rMs);
    }
  }
}

const VT_START_MS = 2500;
const VT_RATE_BPM = 172;

function* tachycardia({ heartRateBpm, random }: Pace): Generator<Beat> {
  const sinusMs = 60_000 / heartRateBpm;
  let rMs = FIRST_MS;
  for (; rMs < VT_START_MS; rMs += sinusMs) yield conducted(rMs, sinusMs, { prMs: NORMAL_PR_MS });
  let pMs = rMs;
  for (;;) {
    const amplitude = 0.78 * (1 + 0.06 * (2 * random() - 1));
    const waves = [
      ...shapeAt(VT_QRS, rMs, amplitude),
      tWave(rMs + 318 - 55 - 72, scaled([0.4, -0.35, 0.55], 0.7), 46, 36),
    ];
    const rrMs = (60_000 / VT_RATE_BPM) * (1 + 0.015 * (2 * random() - 1));
    for (; pMs < rMs + rrMs; pMs += sinusMs) waves.push(pWave(pMs, NORMAL_PR_MS));
    yield { atMs: rMs, label: 'V', waves };
    rMs += rrMs;
  }
}

/** P waves at an even rate; which lead to a beat, and after how long. */
function* blocked(pace: Pace, prMsOf: (n: number) => number | undefined): Generator<Beat> {
  const ppMs = 60_000 / pace.heartRateBpm;
  for (let n = 0, sinusMs = FIRST_MS; ; n++, sinusMs += ppMs) {
    const prMs = prMsOf(n);
    const rMs = sinusMs + (prMs ?? NORMAL_PR_MS) - NORMAL_PR_MS;
    yield prMs === undefined
      ? { atMs: rMs, label: undefined, waves: [pWave(sinusMs, NORMAL_PR_MS)] }
      : conducted(rMs, ppMs, { prMs });
  }
}

const ESCAPE_BPM = 38;
const ATRIAL_BPM = 86;

function* dissociated(): Generator<Beat> {
  let pMs = FIRST_MS;
  for (let rMs = FIRST_MS + 300; ; rMs += 60_000 / ESCAPE_BPM) {
    const waves = [...shapeAt(LBBB_QRS, rMs), tWave(rMs + 470 - 55 - 76, [-0.33, -0.08, -0.42])];
    for (; pMs < rMs + 60_000 / ESCAPE_BPM; pMs += 60_000 / ATRIAL_BPM) waves.push(pWave(pMs, NORMAL_PR_MS));
    yield { atMs: rMs, label: 'N', waves };
  }
}

const PACED_BPM = 70;

function* paced(): Generator<Beat> {
  for (let rMs = FIRST_MS; ; rMs += 60_000 / PACED_BPM)
    yield {
      atMs: rMs,
      label: '/',
      waves: [
        { kind: 'spike', atMs: rMs, beforeMs: 0, afterMs: 0, vector: SPIKE },
        ...shapeAt(PACED_QRS, rMs),
        tWave(rMs + 460 - 10 - 100, [-0.4, 0.45, -0.55], 70, 50),
      ],
    };
}

const PAUSE_AT_BEAT = 6;
const PAUSE_MS = 2900;

function* pausing(pace: Pace): Generator<Beat> {
  for (let rMs = FIRST_MS, n = 1, rrMs = rrOf(pace, 0); ; n++) {
    yield conducted(rMs, rrMs, { prMs: NORMAL_PR_MS });
    rrMs = rrOf(pace, rMs);
    rMs += rrMs + (n === PAUSE_AT_BEAT ? PAUSE_MS : 0);
  }
}

const VF_START_MS = 1600;

function* untilFibrillation(pace: Pace): Generator<Beat> {
  for (const beat of regular(pace, { prMs: NORMAL_PR_MS })) {
    if (beat.atMs > VF_START_MS) return;
    yield beat;
  }
}

/** A heart that stands still. */
function* noBeats(): Generator<Beat> {}

const WENCKEBACH_PR_MS = [160, 220, 265, undefined];
const MOBITZ2_PR_MS = [NORMAL_PR_MS, NORMAL_PR_MS, undefined];

const DEFAULT_HEART_RATE_BPM = 72;
const AF_HEART_RATE_BPM = 95;

/** Beats in the order of their waves; none may begin before one that was given. */
export function beatsOf(rhythm: Rhythm, heartRateBpm: number | undefined, random: Random): Generator<Beat> {
  const pace: Pace = {
    heartRateBpm: heartRateBpm ?? (rhythm === 'afib' ? AF_HEART_RATE_BPM : DEFAULT_HEART_RATE_BPM),
    random,
  };
  const prMs = NORMAL_PR_MS;
  switch (rhythm) {
    case 'sinus':
      return regular(pace, { prMs });
    case 'afib':
      return fibrillating(pace);
    case 'pvc':
      return withPvcs(pace, 6);
    case 'bigeminy':
      return withPvcs(pace, 2);
    case 'vt':
      return tachycardia(pace);
    case 'vf':
      return untilFibrillation(pace);
    case 'pause':
      return pausing(pace);
    case 'avb1':
      return regular(pace, { prMs: 290 });
    case 'mobitz1':
      return blocked(pace, (n) => WENCKEBACH_PR_MS[n % WENCKEBACH_PR_MS.length]);
    case 'mobitz2':
      return blocked(pace, (n) => MOBITZ2_PR_MS[n % MOBITZ2_PR_MS.length]);
    case 'avb3':
      return dissociated();
    case 'lbbb':
      return regular(pace, {
        prMs: 175,
        qrs: LBBB_QRS,
        t: [-0.33, -0.08, -0.42],
        extraQtMs: 45,
        onsetMs: 55,
      });
    case 'rbbb':
      return regular(pace, { prMs, qrs: RBBB_QRS, t: [0.28, 0.18, 0.12], extraQtMs: 25 });
    case 'paced':
      return paced();
    case 'stemi-anterior':
      return regular(pace, { prMs, t: [0.42, 0.14, -0.42], more: plateau([0.16, -0.1, -0.27]) });
    case 'stemi-inferior':
      return regular(pace, { prMs, t: [0.16, 0.36, -0.08], more: plateau([-0.05, 0.27, 0.07]) });
    case 'asystole':
      return noBeats();
  }
}

/** Size of a plateau so long behind its R wave. */
export function plateauAt(offsetMs: number): number {
  const logistic = (u: number): number => 1 / (1 + Math.exp(-u));
  return logistic((offsetMs - 38) / 12) * logistic(-(offsetMs - 200) / 45);
}
