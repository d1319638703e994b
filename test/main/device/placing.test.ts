// Where samples are placed, and what tells the time: on a clock of the test's.

import { describe, expect, test } from 'vitest';
import { OPENBCI_CYTON } from '../../../main/device/drivers/openbci-cyton/driver.ts';
import { ClockFit } from '../../../main/device/link/clock-fit.ts';
import { DECIMATED_STEPS, Decimator } from '../../../main/device/link/decimator.ts';
import { HostClock } from '../../../main/device/link/host-clock.ts';
import { LeadMaker } from '../../../main/device/link/lead-maker.ts';
import { type SampleBatch, SamplePlacer } from '../../../main/device/link/sample-placer.ts';
import { PacketOutput } from '../../../main/device/packets/packet-output.ts';
import { trueRateHz } from '../../../main/signal/true-rate.ts';

const RATE_HZ = 250;
const COUNTED = { packetBytes: 33, samplesPerPacket: 1, counterModulo: 256 };
const UNCOUNTED = { packetBytes: 15, samplesPerPacket: 1 };
const SHORT = { packetBytes: 3, samplesPerPacket: 1, counterModulo: 16 };

/** Feeds a placer with pieces of ten samples as a device on time would send them. */
class Feed {
  readonly placer: SamplePlacer;
  readonly batches: SampleBatch[] = [];
  readonly out = new PacketOutput(1);
  nowMs = 1000;

  readonly rateHz: number;

  constructor(packets: ConstructorParameters<typeof SamplePlacer>[0]['packets'], rateHz = RATE_HZ) {
    this.rateHz = rateHz;
    this.placer = new SamplePlacer({ rateHz, packets });
  }

  /** The time of so many samples goes by. */
  pass(samples: number): void {
    this.nowMs += (1000 * samples) / this.rateHz;
  }

  piece(count: number, lost = 0, rejectedBytes = 0): void {
    if (lost > 0 || rejectedBytes > 0) this.out.breaks.push({ offset: this.out.count, lost, rejectedBytes });
    this.out.reserve(count);
    this.out.count += count;
    this.batches.push(...this.placer.take(this.out, this.nowMs));
  }

  /** On time, for so long. */
  run(ms: number): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
      this.pass(10);
      this.piece(10);
    }
  }

  get gaps() {
    return this.batches.flatMap(({ gap }) => (gap === undefined ? [] : [gap]));
  }
}

describe('a pause in the arrivals', () => {
  test.each([
    ['counted', COUNTED],
    ['uncounted', UNCOUNTED],
    ['with a short counter', SHORT],
  ])('%s, after which everything comes, is no gap', (_, packets) => {
    const feed = new Feed(packets);
    feed.run(3000);
    feed.nowMs += 900;
    feed.piece(10);
    for (let i = 0; i < 22; i++) feed.piece(10);
    feed.run(1500);
    expect(feed.gaps).toEqual([]);
    expect(feed.placer.samples).toBe(feed.batches.reduce((sum, { count }) => sum + count, 0));
  });

  test('uncounted, after which what was meanwhile does not come, is a gap as long as the pause', () => {
    const feed = new Feed(UNCOUNTED);
    feed.run(3000);
    feed.nowMs += 400;
    feed.run(2500);
    expect(feed.gaps).toHaveLength(1);
    expect(feed.gaps[0]!.end - feed.gaps[0]!.start).toBeCloseTo(100, -1);
    expect(feed.gaps[0]!.kind).toBe('time');
  });

  test('of which the counter tells 44, and the clock one turn more, is 300', () => {
    const feed = new Feed(COUNTED);
    feed.run(3000);
    feed.nowMs += 1200;
    feed.piece(10, 300 % 256);
    feed.run(2500);
    expect(feed.gaps.map(({ start, end }) => end - start)).toEqual([300]);
  });
});

test('bytes that were thrown away tell how often a short counter turned', () => {
  const feed = new Feed(SHORT, 1000);
  feed.run(100);
  feed.piece(10, 3, 3 * 35);
  expect(feed.gaps.map(({ start, end }) => end - start)).toEqual([35]);
});

test('a device that was away comes back behind a gap as long as it was away, fifty times over', () => {
  const feed = new Feed(COUNTED);
  feed.run(3000);
  for (let n = 0; n < 50; n++) {
    feed.placer.disconnected();
    feed.nowMs += 1000;
    feed.run(2000);
  }
  const elapsed = ((feed.nowMs - 1000) * RATE_HZ) / 1000;
  expect(feed.gaps).toHaveLength(50);
  expect(Math.abs(feed.placer.next - elapsed)).toBeLessThanOrEqual(2);
});

test('what a device says when it is back, before it sends samples, is not yet behind the gap', () => {
  const feed = new Feed({ ...COUNTED, counterModulo: 2 ** 32, isCounterLong: true });
  feed.run(3000);
  feed.placer.disconnected();
  feed.nowMs += 10_000;
  feed.out.text('Here I am.');
  feed.piece(0);
  expect(feed.gaps).toEqual([]);
  feed.nowMs += 40;
  feed.piece(10, 2500);
  feed.run(1000);
  expect(feed.gaps).toEqual([{ start: 750, end: 3250, kind: 'counter' }]);
});

describe('a device that was given up while it stalled, and sends what it kept when it is back', () => {
  test.each([
    ['counted for long', { ...COUNTED, counterModulo: 2 ** 32, isCounterLong: true }],
    ['counted', COUNTED],
    ['uncounted', UNCOUNTED],
    ['with a short counter', SHORT],
  ])('%s, has lost nothing', (_, packets) => {
    const feed = new Feed(packets);
    feed.run(5000);
    feed.placer.disconnected();
    feed.pass(7 * RATE_HZ);
    // At twice the speed of what it measures.
    for (let sent = 0; sent < 14 * RATE_HZ; sent += 20) {
      feed.pass(10);
      feed.piece(20);
    }
    feed.run(3000);
    expect(feed.gaps).toEqual([]);
    expect(feed.batches.reduce((sum, { count }) => sum + count, 0)).toBe(feed.placer.next);
    expect(Math.abs(feed.placer.next - ((feed.nowMs - 1000) * RATE_HZ) / 1000)).toBeLessThan(20);
  });

  test('has lost what it did not keep', () => {
    const feed = new Feed(COUNTED);
    feed.run(5000);
    feed.placer.disconnected();
    feed.pass(7 * RATE_HZ);
    feed.piece(2 * RATE_HZ);
    feed.run(3000);
    expect(feed.gaps).toMatchObject([{ start: 1250, kind: 'disconnect' }]);
    expect(feed.gaps[0]!.end - 1250).toBeCloseTo(5 * RATE_HZ, -1);
  });
});

test('bytes of no packet stand for no more than fits into the time that passed', () => {
  const feed = new Feed(UNCOUNTED);
  feed.run(5000);
  for (let n = 0; n < 20; n++) {
    feed.pass(10);
    feed.piece(10, 0, 4096);
    feed.run(1000);
  }
  const elapsed = ((feed.nowMs - 1000) * RATE_HZ) / 1000;
  expect(feed.placer.next - elapsed).toBeGreaterThanOrEqual(-1);
  expect(feed.placer.next - elapsed).toBeLessThan(0.12 * RATE_HZ);
});

test('a device that restarts its counter at an open port comes back behind a gap as long as it was silent', () => {
  const feed = new Feed({ ...COUNTED, counterModulo: 2 ** 32, isCounterLong: true });
  feed.run(3000);
  feed.nowMs += 2000;
  feed.out.breaks.push({ offset: 0, lost: 0, rejectedBytes: 0, isRestart: true });
  feed.nowMs += 40;
  feed.piece(10);
  feed.run(600);
  expect(feed.gaps).toMatchObject([{ start: 750, kind: 'restart' }]);
  expect(feed.gaps[0]!.end - 750).toBeCloseTo(500, -1);
});

test('the clock of a device is measured through the jitter of arrivals', () => {
  const fit = new ClockFit(RATE_HZ);
  const ppm = 500;
  let state = 1;
  for (let sample = 0; sample < RATE_HZ * 120; sample += 10) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const late = 16 * (state / 2 ** 32);
    fit.add(sample, (1000 * sample) / (RATE_HZ * (1 + ppm * 1e-6)) + late);
  }
  expect(fit.drift!.driftPpm).toBeGreaterThan(ppm - 40);
  expect(fit.drift!.driftPpm).toBeLessThan(ppm + 40);
  expect(fit.drift!.measuredHz).toBeCloseTo(RATE_HZ * (1 + ppm * 1e-6), 1);
});

/** Feeds pieces of ten samples at a rate of the device's own, each up to 16 ms late. */
function feedAt(
  trueHz: number,
  seconds: number,
  packets: ConstructorParameters<typeof SamplePlacer>[0]['packets'],
) {
  const placer = new SamplePlacer({ rateHz: RATE_HZ, packets });
  const fit = new ClockFit(RATE_HZ);
  const out = new PacketOutput(1);
  const gaps: unknown[] = [];
  let state = 7;
  for (let sample = 10; sample <= trueHz * seconds; sample += 10) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    out.reserve(10);
    out.count += 10;
    for (const batch of placer.take(out, (1000 * sample) / trueHz + 16 * (state / 2 ** 32))) {
      if (batch.gap !== undefined) gaps.push(batch.gap);
      if (batch.count > 0) fit.add(batch.firstSample + batch.count - 1, batch.arrivalMs!);
    }
  }
  return { gaps, drift: fit.drift };
}

test.each([125, 200, 240, 247, 250, 253, 300, 500])(
  'a device that declares 250 Hz and sends %d loses nothing, and is told apart where it differs',
  (trueHz) => {
    for (const packets of [COUNTED, UNCOUNTED]) {
      const { gaps, drift } = feedAt(trueHz, 40, packets);
      expect(gaps).toEqual([]);
      expect(Math.abs(drift!.measuredHz / trueHz - 1)).toBeLessThan(0.001);
      const found = trueRateHz(drift);
      if (trueHz === RATE_HZ) expect(found).toBeUndefined();
      else expect(Math.abs(found! / trueHz - 1)).toBeLessThan(0.001);
    }
  },
);

test('a few seconds tell of a rate that is far off, and say nothing of one that is near', () => {
  expect(trueRateHz(feedAt(500, 8, COUNTED).drift)).toBeCloseTo(500, -1);
  expect(trueRateHz(feedAt(250.5, 8, COUNTED).drift)).toBeUndefined();
  expect(trueRateHz(feedAt(251, 120, COUNTED).drift)).toBeUndefined();
  // A recording of an older version has no uncertainty.
  expect(trueRateHz({ nominalHz: 250, measuredHz: 500, driftPpm: 1e6, windowSeconds: 30 })).toBe(500);
});

test('sleep, and a clock that was set, are told apart', () => {
  const now = { wallMs: 1e12, monotonicMs: 5000, sinceStartMs: 50_000 };
  const clock = new HostClock({
    wallMs: () => now.wallMs,
    monotonicMs: () => now.monotonicMs,
    sinceStartMs: () => now.sinceStartMs,
  });
  const steps: unknown[] = [];
  clock.onStep((step) => steps.push(step));
  const pass = (wall: number, monotonic: number, sinceStart: number): void => {
    now.wallMs += wall;
    now.monotonicMs += monotonic;
    now.sinceStartMs += sinceStart;
    clock.look();
  };
  pass(1000, 1000, 1000);
  expect(steps).toEqual([]);
  const beforeMs = clock.elapsedMs;
  pass(601_000, 1000, 601_000);
  expect(steps).toEqual([{ kind: 'slept', byMs: 600_000 }]);
  expect(clock.elapsedMs - beforeMs).toBe(601_000);
  pass(-3_599_000, 1000, 1000);
  expect(steps.at(-1)).toEqual({ kind: 'clockSet', byMs: -3_600_000 });
});

test('leads are whole multiples of whole codes', () => {
  const format = OPENBCI_CYTON.variants[0]!.format!;
  const maker = new LeadMaker(format, format.leadSets.find(({ id }) => id === 'ra-reference')!);
  const columns = [3, 6, 10, 20, 30, 40, 50, 60].map((code) => Int32Array.of(code));
  const { leads } = maker.make({
    firstSample: 0,
    count: 1,
    columns,
    arrivalMs: 0,
    gap: undefined,
    events: [],
  });
  // I = ch1, II = ch2, Vk = ch(k + 2) − (ch1 + ch2) / 3, in thirds.
  expect(leads.map(([sample]) => sample)).toEqual([9, 18, 21, 51, 81, 111, 141, 171]);
  expect(maker.scale.lsbUv).toBeCloseTo(format.channels[0]!.lsbUv / 3, 12);
});

test('a decimated signal keeps what is slow and loses what is fast', () => {
  const rateHz = 10_050.25;
  const response = (hz: number): number => {
    const decimator = new Decimator(rateHz, 20);
    const codes = Int32Array.from({ length: 20_000 }, (_, i) =>
      Math.round(400 * Math.sin((2 * Math.PI * hz * i) / rateHz)),
    );
    const slow = decimator.take(codes, 0).slice(50);
    return Math.max(...slow) / DECIMATED_STEPS / 400;
  };
  expect(response(10)).toBeGreaterThan(0.98);
  expect(response(1000)).toBeLessThan(0.01);
});

describe('a short counter whose turns were counted wrong', () => {
  test.each([
    ['too many', 36 * 3, 4],
    ['too few', 8 * 3, 40],
  ])('%s by the bytes that were thrown away, is put right at the next gap', (_, rejectedBytes, missing) => {
    const feed = new Feed(SHORT, 1000);
    feed.run(5000);
    feed.pass(missing + 10);
    feed.piece(10, missing % 16, rejectedBytes);
    feed.run(8000);
    expect(feed.gaps.map(({ start, end }) => end - start)).not.toEqual([missing]);
    feed.pass(52 + 10);
    feed.piece(10, 52 % 16, 52 * 3);
    feed.run(4000);
    expect(feed.gaps.map(({ kind }) => kind)).toEqual(['estimated', 'estimated']);
    // In all as many as were missing.
    expect(feed.gaps.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(missing + 52);
  });

  test('is not doubled where bytes and time tell of the same loss', () => {
    const feed = new Feed(SHORT, 1000);
    feed.run(5000);
    feed.pass(160 + 10);
    feed.piece(10, 160 % 16, 160 * 3);
    feed.run(5000);
    expect(feed.gaps.map(({ start, end }) => end - start)).toEqual([160]);
  });

  test('is not found where the device stalls for three seconds and then sends everything', () => {
    const feed = new Feed(SHORT, 1000);
    feed.run(5000);
    feed.pass(12);
    feed.piece(10, 2, 6);
    feed.pass(3000);
    feed.piece(3000);
    feed.run(5000);
    feed.pass(15);
    feed.piece(10, 5, 15);
    feed.run(3000);
    expect(feed.gaps.map(({ start, end }) => end - start)).toEqual([2, 5]);
  });
});
