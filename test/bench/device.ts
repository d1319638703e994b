// `npm run bench:device`: how many MB of each device's bytes a driver reads in a second, in pieces of 4 KB;
// and how long a byte at a pseudo-terminal takes to a batch that is published. Absolute figures count on a
// quiet machine only; beside them stands what a program needs that only looks at every byte. Reading is timed
// by the processor's time that it takes, so that what else runs matters less.

import { openDesk } from '../../main/host/desk-host.ts';
import { startWorkstation } from '../../main/host/workstation.ts';
import { quantile } from '../../shared/signal/statistics.ts';
import { DRIVER_KINDS, deviceBytes } from '../fuzz/fuzz-driver.ts';
import { variantOf } from '../support/parse-device.ts';
import { openTerminals, PluggedDevice, socatMissing } from '../support/pseudo-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { printMachine } from './harness.ts';

const PIECE_BYTES = 4096;
const ROUND_BYTES = 8 << 20;
const ROUNDS = 7;
const LATENCY_SECONDS = 15;

function megabytesPerSecond(run: (piece: Uint8Array) => void, bytes: Uint8Array): number {
  const rates: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const start = process.cpuUsage();
    let done = 0;
    while (done < ROUND_BYTES)
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        const piece = bytes.subarray(at, at + PIECE_BYTES);
        run(piece);
        done += piece.length;
      }
    // The first one warms up.
    const { user, system } = process.cpuUsage(start);
    if (round > 0) rates.push(done / (user + system));
  }
  return quantile(rates, 0.5) as number;
}

/** A program that does no more than to look at each byte. */
function lookAtBytes(): (piece: Uint8Array) => void {
  let sum = 0;
  return (piece) => {
    for (let i = 0; i < piece.length; i++) sum = (sum + (piece[i] as number)) | 0;
    if (sum === -1) process.stdout.write('');
  };
}

function benchParsers(): void {
  process.stdout.write('driver, board                    MB/s    of looking at each byte\n');
  for (const [driver, board, variant] of DRIVER_KINDS) {
    const bytes = deviceBytes(driver, board, 20);
    const { driver: found, variant: reader } = variantOf(driver, variant);
    const parser = found.createParser(reader);
    const bare = megabytesPerSecond(lookAtBytes(), bytes);
    const own = megabytesPerSecond((piece) => {
      parser.push(piece);
      parser.out.clear();
    }, bytes);
    process.stdout.write(
      `${`${driver} ${board}`.padEnd(32)} ${own.toFixed(0).padStart(5)}    ${(own / bare).toFixed(2)}\n`,
    );
  }
}

/**
 * From the moment a packet is measured by the device to the moment its samples are published, in
 * milliseconds.
 */
async function benchLatency(): Promise<void> {
  if (socatMissing !== undefined) {
    process.stdout.write(`Left out: latency, which ${socatMissing}.\n`);
    return;
  }
  await using folder = await tempFolder();
  await using pair = await openTerminals(folder.path);
  const device = new PluggedDevice('isoline-idp');
  const sentMs: number[] = [];
  const delays: number[] = [];
  let firstSample = 0;
  device.device.onWire = (bytes) => {
    sentMs.push(performance.now());
    return [bytes];
  };
  await device.plugInto(pair.device);
  await using workstation = await startWorkstation({
    dataDir: folder.path,
    port: 0,
    overrides: [['storage.reserve', '0']],
  });
  const desk = await openDesk(workstation, {
    isWatching: false,
    hooks: {
      onBatch: (batch) => {
        const nowMs = performance.now();
        const packet = (sample: number): number => Math.floor(sample / 10);
        firstSample = batch.firstSample;
        // The first sample of a batch has waited longest.
        const sent = sentMs[packet(firstSample)];
        if (sent !== undefined && batch.count > 0) delays.push(nowMs - sent);
      },
    },
  });
  const id = await desk.connect(pair.host, { driver: 'isoline-idp' });
  await desk.device(id).record({ durationMs: 1000 * LATENCY_SECONDS });
  await desk.device(id).untilEnded();
  await desk.close();
  await device.switchOff();
  const at = (q: number): string => (quantile(delays, q) as number).toFixed(2);
  process.stdout.write(
    `byte to published batch, while recording: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${delays.length} batches)\n`,
  );
}

printMachine();
benchParsers();
if (!process.argv.includes('--no-latency')) await benchLatency();
