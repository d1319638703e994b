// The parsers of what comes without a cable: whatever pieces the bytes come in the result is the same, nothing makes them
// throw, and what was lost is counted.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Driver } from '../../../main/device/driver.ts';
import { BRAINFLOW } from '../../../main/device/drivers/brainflow/driver.ts';
import { LSL } from '../../../main/device/drivers/lsl/driver.ts';
import { POLAR_H10 } from '../../../main/device/drivers/polar-h10/driver.ts';
import { SenderClock } from '../../../main/device/link/sender-clock.ts';
import type { PacketParser } from '../../../main/device/packets/packet-parser.ts';
import { pipeFrame } from '../../../shared/bluetooth-pipes.ts';
import { SOME_ELECTRODE } from '../../../shared/signal/electrode.ts';
import { inLongForm } from '../../support/long-form.ts';

const RUNS = inLongForm(300, 50_000);
const parserOf = (driver: Driver, variant = 0): PacketParser =>
  driver.createParser(driver.variants[variant]!);

function polarFrame(first: number, samples: readonly number[]): Uint8Array {
  const frame = Buffer.alloc(10 + 3 * samples.length);
  frame.writeBigUInt64LE(BigInt(Math.round(((first + samples.length - 1) * 1e9) / 130)) + 10n ** 17n, 1);
  for (const [i, value] of samples.entries()) frame.writeIntLE(value, 10 + 3 * i, 3);
  return pipeFrame(1, frame);
}

const numbered = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => (first + i) % 5000);

function brainFlowRow(counter: number, uv: number): Buffer {
  const row = new Float64Array(24);
  row[0] = counter % 256;
  row.fill(uv, 1, 9);
  row[22] = 1_750_000_000 + counter / 250;
  return Buffer.from(row.buffer);
}

const LSL_HEAD = `<?xml version="1.0"?><info><name>A</name><type>ECG</type><channel_count>1</channel_count><channel_format>int16</channel_format><source_id/><nominal_srate>250</nominal_srate><uid>u</uid><hostname>h</hostname><v4data_port>1</v4data_port><desc><channels><channel><label>ECG</label><unit>uV</unit></channel></channels></desc></info>\nLSL/110 200 OK\r\nUID: u\r\nByte-Order: 1234\r\nData-Protocol-Version: 110\r\n\r\n`;
const lslSample = (value: number, timeS?: number): Buffer => {
  const bytes = Buffer.alloc(timeS === undefined ? 3 : 11);
  bytes[0] = timeS === undefined ? 1 : 2;
  if (timeS !== undefined) bytes.writeDoubleLE(timeS, 1);
  bytes.writeInt16LE(value, bytes.length - 2);
  return bytes;
};
const lslStream = (count: number): Buffer =>
  Buffer.concat([
    Buffer.from(LSL_HEAD),
    lslSample(4 + 257, 1),
    lslSample(2 + 257, 1),
    ...Array.from({ length: count }, (_, i) => lslSample(i, i % 10 === 0 ? 100 + i / 250 : undefined)),
  ]);

const STREAMS: readonly (readonly [string, Driver, Buffer])[] = [
  ['LSL', LSL, lslStream(200)],
  ['BrainFlow', BRAINFLOW, Buffer.concat(Array.from({ length: 60 }, (_, i) => brainFlowRow(i, i)))],
  [
    'Polar H10',
    POLAR_H10,
    Buffer.concat(Array.from({ length: 9 }, (_, i) => polarFrame(73 * i, numbered(73 * i, 73)))),
  ],
];

/** All that a parser makes of the bytes, in pieces that end at these places. */
function parsed(driver: Driver, bytes: Uint8Array, cuts: readonly number[]): object {
  const parser = parserOf(driver);
  const samples: number[][] = [];
  const breaks: object[] = [];
  const said: object[] = [];
  let count = 0;
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  const take = (): void => {
    const { out } = parser;
    for (const [i, column] of out.columns.entries())
      samples[i] = [...(samples[i] ?? []), ...column.subarray(0, out.count)];
    breaks.push(...out.breaks.map((each) => ({ ...each, offset: each.offset + count })));
    said.push(...out.events.map((each) => ({ ...each, offset: each.offset + count })));
    count += out.count;
    out.clear();
  };
  for (const to of [...places, bytes.length]) {
    parser.push(bytes.subarray(from, to));
    take();
    from = to;
  }
  parser.flush();
  take();
  return { samples, breaks, said, rejected: parser.rejectedBytes };
}

describe.each(STREAMS)('%s', (_name, driver, stream) => {
  test('in any pieces it is the same, damaged or not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 100_000 }), { maxLength: 12 }),
        fc.array(fc.tuple(fc.nat({ max: stream.length - 1 }), fc.integer({ min: 0, max: 255 })), {
          maxLength: 4,
        }),
        fc.nat({ max: stream.length }),
        (cuts, damages, end) => {
          const bytes = Buffer.from(stream.subarray(0, end));
          for (const [at, value] of damages) if (at < bytes.length) bytes[at] = value;
          expect(parsed(driver, bytes, cuts)).toEqual(parsed(driver, bytes, []));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('any bytes at all make no sample that was not sent whole, and nothing throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4000 }), (bytes) => {
        const parser = parserOf(driver);
        parser.push(bytes);
        parser.flush();
        expect(parser.out.count).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('Polar H10', () => {
  test('counts by its clock what did not come', () => {
    const parser = parserOf(POLAR_H10);
    for (const i of [0, 1, 4, 5]) parser.push(polarFrame(73 * i, numbered(73 * i, 73)));
    expect(parser.out.breaks.map(({ offset, lost }) => [offset, lost])).toEqual([
      [0, 0],
      [146, 146],
    ]);
    expect([...parser.out.columns[0]!.subarray(0, 292)]).toEqual([
      ...numbered(0, 146),
      ...numbered(292, 146),
    ]);
  });

  test('a frame that comes twice counts once; its clock that begins again is a restart', () => {
    const parser = parserOf(POLAR_H10);
    parser.push(polarFrame(730, numbered(0, 73)));
    parser.push(polarFrame(730, numbered(0, 73)));
    expect(parser.out.count).toBe(73);
    parser.push(polarFrame(0, numbered(0, 73)));
    expect(parser.out.breaks.at(-1)).toMatchObject({ isRestart: true, lost: 0 });
  });

  test('tells contact and battery', () => {
    const parser = parserOf(POLAR_H10);
    parser.push(pipeFrame(3, Uint8Array.of(64)));
    parser.push(pipeFrame(2, Uint8Array.of(0x04, 70)));
    parser.push(pipeFrame(2, Uint8Array.of(0x04, 70)));
    parser.push(pipeFrame(2, Uint8Array.of(0x06, 70)));
    // A strap that does not feel it says nothing of its contact.
    parser.push(pipeFrame(2, Uint8Array.of(0x00, 70)));
    expect(parser.out.events).toEqual([
      { kind: 'battery', offset: 0, percent: 64 },
      { kind: 'leadOff', offset: 0, electrodes: SOME_ELECTRODE },
      { kind: 'leadOff', offset: 0, electrodes: 0 },
    ]);
  });

  test('an answer that refuses says what to do', () => {
    const [step] = POLAR_H10.start(POLAR_H10.variants[0]!);
    const answer = (status: number) =>
      step?.expect?.read(String.fromCharCode(0, 5, 0, 0xf0, 2, 0, status, 0));
    expect(answer(0)).toEqual({});
    expect(answer(6)).toEqual({});
    expect(answer(9)).toMatchObject({ fault: expect.stringContaining('Close other programs') });
    expect(step?.expect?.read('')).toBeUndefined();
  });
});

describe('the clock of a sender', () => {
  test('what the network held up keeps its place; a clock that was set starts again', () => {
    const clock = new SenderClock();
    expect(clock.toOurs(5000, 100)).toBe(100);
    expect(clock.toOurs(6000, 1100)).toBe(1100);
    expect(clock.toOurs(6500, 3100)).toBe(1600);
    expect(clock.toOurs(9000, 3200)).toBe(3200);
    expect(clock.toOurs(9001, 3300)).toBe(3201);
    clock.restart();
    expect(clock.toOurs(70, 4000)).toBe(4000);
    expect(clock.toOurs(80, 4020)).toBe(4010);
    expect(clock.toOurs(90, 100_000)).toBe(100_000);
  });

  test('a jam that grows and drains moves nothing, however long', () => {
    const clock = new SenderClock();
    for (let ms = 0; ms < 200_000; ms += 20) {
      const jamMs = 20_000 * Math.max(0, 1 - Math.abs(ms - 100_000) / 50_000);
      expect(Math.abs(clock.toOurs(1e9 + ms, ms + 3 + jamMs) - ms)).toBeLessThan(20);
    }
  });

  test('a clock that goes slow for days is followed', () => {
    const clock = new SenderClock();
    for (let ms = 0; ms < 3 * 86_400_000; ms += 500)
      expect(Math.abs(clock.toOurs(1e9 + ms * (1 - 1e-4), ms) - ms)).toBeLessThan(20);
  });

  test('a leap of its times within one piece parts the piece there', () => {
    const parser = parserOf(LSL);
    const [before, after] = [30, 20];
    const samples = Array.from({ length: before + after }, (_, i) =>
      lslSample(i, i % 10 === 0 ? 100 + i / 250 + (i < before ? 0 : 1) : undefined),
    );
    parser.push(Buffer.concat([lslStream(0), ...samples]));
    const parts = parser.out.parts();
    expect(parts.map(({ count }) => count)).toEqual([before, after]);
    expect(parts.map(({ stampMs }) => Math.round(stampMs!))).toEqual([
      100_000 + (before - 1) * 4,
      101_000 + (before + after - 1) * 4,
    ]);
    expect([...parts[1]!.columns[0]!].slice(0, 3)).toEqual([30, 31, 32]);
  });
});
