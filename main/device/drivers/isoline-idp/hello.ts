// The HELLO packet: what a device of the Isoline protocol says of itself.

import { classOf, type DeviceChannel, type DeviceFormat, oneToOne, singleLead } from '../../device-format.ts';
import { int32Le, uint16Le, uint32Le } from '../../packets/integers.ts';
import { HELLO_FLAGS, leadOfCode, MAGIC, PROTOCOL_VERSION } from './protocol.ts';

const HEAD_BYTES = 39;
const MAX_CHANNELS = 16;
const MAX_NAME_BYTES = 32;
const RATE_MHZ = { lowest: 1000, highest: 100_000_000 };

export type Hello =
  | {
      readonly format: DeviceFormat;
      /** Bits of the channels that its DATA packets bring. */
      readonly mask: number;
      readonly fault?: undefined;
    }
  | { readonly fault: string };

/** Undefined where the packet is none, or states what can't be. */
export function readHello(body: Uint8Array, length: number): Hello | undefined {
  const channelCount = body[18] as number;
  const nameAt = HEAD_BYTES + channelCount;
  if (length < HEAD_BYTES + 1 || String.fromCharCode(...body.subarray(2, 6)) !== MAGIC) return undefined;
  if ((body[1] as number) > PROTOCOL_VERSION)
    return {
      fault:
        'The device speaks a newer version of the Isoline protocol: update Isoline, and plug the device in again.',
    };
  if (channelCount < 1 || channelCount > MAX_CHANNELS || length < nameAt + 1) return undefined;
  const nameBytes = body[nameAt] as number;
  if (nameBytes > MAX_NAME_BYTES || length < nameAt + 1 + nameBytes) return undefined;
  const rateMhz = uint32Le(body, 12);
  const lsbPv = uint32Le(body, 28);
  const mask = uint16Le(body, 16);
  if (rateMhz < RATE_MHZ.lowest || rateMhz > RATE_MHZ.highest || lsbPv === 0 || mask === 0) return undefined;
  const name = new TextDecoder().decode(body.subarray(nameAt + 1, nameAt + 1 + nameBytes)).trim();
  return {
    mask,
    format: formatOf(body, { channelCount, rateHz: rateMhz / 1000, lsbUv: lsbPv / 1e6, mask, name }),
  };
}

interface HelloFacts {
  readonly channelCount: number;
  readonly rateHz: number;
  readonly lsbUv: number;
  readonly mask: number;
  readonly name: string;
}

function formatOf(body: Uint8Array, { channelCount, rateHz, lsbUv, mask, name }: HelloFacts): DeviceFormat {
  const sent = Array.from({ length: channelCount }, (_, i) => i).filter((i) => (mask & (1 << i)) !== 0);
  const leads = sent.map((i) => leadOfCode(body[HEAD_BYTES + i] as number));
  const channels = sent.map((i, place): DeviceChannel => {
    const lead = leads[place];
    return {
      name: lead?.slice('MDC_ECG_LEAD_'.length) ?? `ch${i + 1}`,
      kind: lead === undefined ? 'other' : 'ecg',
      lsbUv,
      zero: 0,
      minimum: int32Le(body, 20),
      maximum: int32Le(body, 24),
    };
  });
  const notchHz = uint16Le(body, 36);
  const hasLeads = leads.some((lead) => lead !== undefined);
  const facts = {
    rateHz,
    channels: hasLeads ? channels : channels.map((channel) => ({ ...channel, kind: 'ecg' as const })),
    highPassHz: uint16Le(body, 32) / 1000,
    lowPassHz: uint16Le(body, 34),
    ...(notchHz > 0 && { notchHz }),
  };
  return {
    ...facts,
    leadSets: hasLeads ? [oneToOne(leads)] : singleLead(0),
    class: classOf(facts),
    isCalibrated: true,
    serialNumber: String(uint32Le(body, 6)),
    ...(name !== '' && { deviceName: name }),
    ...(((body[38] as number) & HELLO_FLAGS.simulated) !== 0 && { isSimulated: true }),
  };
}
