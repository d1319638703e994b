// Up to where is drawn: evenly, close behind what has arrived, whatever way it arrives in.

import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../main/signal/synthetic/random.ts';
import { PlayOut } from '../../renderer/trace/play-out.ts';

const RATE_HZ = 1000;
const FRAME_MS = 1000 / 60;

interface Frame {
  readonly ms: number;
  readonly head: number;
  /** Newest sample that had arrived. */
  readonly end: number;
}

/** @param lateMs how late each piece of 20 ms comes */
function play(seconds: number, lateMs: (piece: number) => number, rateHz = RATE_HZ): Frame[] {
  const playOut = new PlayOut(RATE_HZ);
  // What is late keeps back what comes behind it.
  let lastMs = 0;
  const pieces = Array.from({ length: seconds * 50 }, (_, piece) => {
    lastMs = Math.max(lastMs, 20 * (piece + 1) + lateMs(piece));
    return { ms: lastMs, end: Math.round(((piece + 1) * rateHz) / 50) };
  });
  const frames: Frame[] = [];
  let next = 0;
  let end = 0;
  for (let ms = 0; ms < seconds * 1000; ms += FRAME_MS) {
    for (; next < pieces.length && pieces[next]!.ms <= ms; next++) {
      end = Math.max(end, pieces[next]!.end);
      playOut.arrived(end, pieces[next]!.ms);
    }
    frames.push({ ms, head: playOut.head(ms), end });
  }
  return frames;
}

const random = seededRandom(2);
const jitter = Array.from({ length: 5000 }, () => random() * 25);

describe.each<[string, (piece: number) => number]>([
  ['even', () => 0],
  ['uneven by up to 25 ms', (piece) => jitter[piece]!],
  ['three at once', (piece) => 20 * (2 - (piece % 3))],
])('pieces that come %s', (_name, lateMs) => {
  const frames = play(30, lateMs).filter(({ ms }) => ms > 3000);

  test('are drawn evenly: no frame goes back, none is more than a little faster or slower than the signal', () => {
    for (let i = 1; i < frames.length; i++) {
      const step = frames[i]!.head - frames[i - 1]!.head;
      expect(step).toBeGreaterThan(FRAME_MS * 0.985);
      expect(step).toBeLessThan(FRAME_MS * 1.015);
    }
  });

  test('are drawn close behind their arrival, and not before it', () => {
    for (const { head, end } of frames) expect(head).toBeLessThanOrEqual(end);
    const behind = frames.map(({ ms, head }) => ms - head).sort((a, b) => a - b);
    expect(behind.at(-1)).toBeLessThan(120 + 20);
    // Room for what comes late once in a while.
    expect(behind[0]).toBeGreaterThan(49);
  });
});

test('a device whose clock is a thousandth too fast stays as close behind', () => {
  const frames = play(120, () => 0, 1001).filter(({ ms }) => ms > 100_000);
  for (const { end, head } of frames) {
    expect(end - head).toBeGreaterThan(0);
    expect(end - head).toBeLessThan(150);
  }
});

test('behind a pause the picture takes up where the samples are', () => {
  const playOut = new PlayOut(RATE_HZ);
  for (let ms = 20; ms <= 1000; ms += 20) playOut.arrived(ms, ms);
  expect(playOut.head(1000)).toBeGreaterThan(900);
  // A device that was off for a minute, and counts on from where it was.
  for (let ms = 20; ms <= 1000; ms += 20) playOut.arrived(1000 + ms, 61_000 + ms);
  expect(Math.abs(playOut.head(62_000) - 1950)).toBeLessThan(60);
});

test('one piece that comes late now and then does not make the picture later', () => {
  const frames = play(30, (piece) => (piece % 97 === 0 ? 70 : 0)).filter(({ ms }) => ms > 10_000);
  const behind = frames.map(({ ms, head }) => ms - head).sort((a, b) => a - b);
  expect(behind.at(-1)).toBeLessThan(60);
});
