// The makers' C, compiled as strictly as gcc can, speaks with our driver: what it writes is read back number
// for number, and it understands what we send.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND, wirePacket } from '../../../main/device/drivers/isoline-idp/protocol.ts';
import { parse } from '../../support/parse-device.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { projectRoot } from '../../support/test-data.ts';

const kit = join(projectRoot, 'docs', 'device-kit');
const gccMissing = spawnSync('gcc', ['--version']).error === undefined ? undefined : 'needs gcc';
const STRICT = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-pedantic', '-O1', '-I', kit];

const MAIN = `
#include <stdio.h>
#include <stdlib.h>
#include "idp.h"

static uint8_t wire[IDP_MAX_WIRE];
static void out(size_t length) { if (length == 0) exit(3); fwrite(wire, 1, length, stdout); }

int main(int argc, char **argv) {
  const int channels = atoi(argv[1]), bytes = atoi(argv[2]), packets = 40;
  const int samples = 1000 / bytes / channels < 20 ? 1000 / bytes / channels : 20;
  static int32_t codes[1000];
  idp_device device = { 77, 0x0102, 1000000, 0, 0, 0, -8388607, 8388607, 100000, 50, 150, 0, IDP_CAN_BATTERY, { 0 }, "Kit" };
  idp_receiver receiver = { { 0 }, 0, 0 };
  uint32_t state = 1, first = 0;
  int packet, i, byte;
  if (argc < 3) return 2;
  device.mask = (uint16_t)((1ul << channels) - 1);
  device.channels = (uint8_t)channels;
  device.sample_bytes = (uint8_t)bytes;
  for (i = 0; i < channels; i++) device.leads[i] = (uint8_t)(i < 12 ? i + 1 : 0);
  while ((byte = getchar()) != EOF) {
    const uint8_t command = idp_receive(&receiver, (uint8_t)byte);
    if (command != 0) fprintf(stderr, "%02x ", command);
    if (command == IDP_PING) fprintf(stderr, "token %u ", (unsigned)idp_u32(receiver.bytes + 1));
  }
  out(idp_hello(&device, wire));
  out(idp_ack(IDP_START, IDP_OK, wire));
  for (packet = 0; packet < packets; packet++) {
    idp_data data = { 0, 0, 0, 0, 0, 0, 90, 0, codes };
    for (i = 0; i < samples * channels; i++) {
      state = state * 1664525u + 1013904223u;
      codes[i] = bytes == 2 ? (int16_t)(state >> 16) : (int32_t)state >> 8;
    }
    data.seq = (uint16_t)packet;
    data.first = first;
    data.samples = (uint8_t)samples;
    out(idp_packet(&device, &data, wire));
    out(idp_log("between", wire));
    first += (uint32_t)samples;
  }
  out(idp_pong(7, 8, wire));
  return 0;
}
`;

/** The same numbers as the program above draws. */
function expected(channels: number, bytes: number): number[][] {
  const samples = Math.min(20, Math.floor(1000 / bytes / channels));
  const columns = Array.from({ length: channels }, (): number[] => []);
  let state = 1;
  for (let i = 0; i < 40 * samples * channels; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    columns[i % channels]!.push(bytes === 2 ? state >> 16 : state >> 8);
  }
  return columns;
}

test.skipIf(gccMissing !== undefined)(
  `the device kit compiles without a warning and is read back number for number${gccMissing === undefined ? '' : ` (${gccMissing})`}`,
  async () => {
    await using folder = await tempFolder();
    const [source, program] = [join(folder.path, 'main.c'), join(folder.path, 'kit')];
    writeFileSync(source, MAIN);
    const built = spawnSync('gcc', [...STRICT, '-o', program, source, join(kit, 'idp.c')], {
      encoding: 'utf8',
    });
    expect(built.stderr).toBe('');
    const example = spawnSync(
      'gcc',
      [...STRICT, '-c', '-o', join(folder.path, 'example.o'), join(kit, 'example.c')],
      { encoding: 'utf8' },
    );
    expect(example.stderr).toBe('');
    const commands = Buffer.concat([
      Buffer.from('noise that is no command\0'),
      wirePacket(Uint8Array.of(COMMAND.getHello)),
      wirePacket(Uint8Array.of(COMMAND.start)),
      wirePacket(Uint8Array.of(COMMAND.ping, 7, 0, 1, 0)),
    ]);
    for (const channels of [1, 2, 8, 12, 16])
      for (const bytes of [2, 3]) {
        const run = spawnSync(program, [String(channels), String(bytes)], { input: commands });
        expect(run.stderr.toString()).toBe('81 82 85 token 65543 ');
        const { columns, rejectedBytes, gaps, format } = parse('isoline-idp', undefined, run.stdout);
        expect(columns.map((column) => [...column])).toEqual(expected(channels, bytes));
        expect([rejectedBytes, gaps]).toEqual([0, []]);
        expect(format).toMatchObject({ deviceName: 'Kit', serialNumber: '77', rateHz: 1000 });
      }
  },
);
