// Damage to packets on their way, from a seed: lost, cut, stuffed, changed, sent twice.

export type Damage = 'drop' | 'delete' | 'insertInside' | 'insertBefore' | 'head' | 'flip' | 'repeat';

/** What a protocol can be expected to notice: without a checksum no changed byte of a sample is seen. */
export const NOTICED_BY_ALL: readonly Damage[] = [
  'drop',
  'delete',
  'insertInside',
  'insertBefore',
  'head',
  'repeat',
];
export const NOTICED_BY_CHECKSUM: readonly Damage[] = [...NOTICED_BY_ALL, 'flip'];

const MOST_BYTES = 6;

export interface DamagedPacket {
  readonly wire: Uint8Array;
  readonly isIntact: boolean;
}

export function damage(packet: Uint8Array, kind: Damage, random: () => number): DamagedPacket {
  const below = (limit: number): number => Math.floor(random() * limit);
  const noise = Uint8Array.from({ length: 1 + below(MOST_BYTES) }, () => below(256));
  const at = 1 + below(packet.length - 1);
  switch (kind) {
    case 'drop':
      return { wire: new Uint8Array(0), isIntact: false };
    case 'delete': {
      const count = Math.min(1 + below(MOST_BYTES), packet.length - at);
      return {
        wire: Uint8Array.of(...packet.subarray(0, at), ...packet.subarray(at + count)),
        isIntact: false,
      };
    }
    case 'insertInside':
      return {
        wire: Uint8Array.of(...packet.subarray(0, at), ...noise, ...packet.subarray(at)),
        isIntact: false,
      };
    case 'insertBefore':
      return { wire: Uint8Array.of(...noise, ...packet), isIntact: true };
    case 'head': {
      const wire = packet.slice();
      wire[0] = (wire[0] as number) ^ 15;
      return { wire, isIntact: false };
    }
    case 'flip': {
      const wire = packet.slice();
      wire[at] = (wire[at] as number) ^ (1 << below(8));
      return { wire, isIntact: false };
    }
    case 'repeat':
      return { wire: Uint8Array.of(...packet, ...packet), isIntact: true };
  }
}
