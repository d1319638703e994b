// Seats: other computers and tablets of the clinic, and the door through which they come.

import type { SEAT_COMMANDS, SEAT_QUERIES, SeatTrouble } from '../../../shared/bridge/contract/seats.ts';
import type { SeatDoorCall } from '../../../shared/bridge/contract.ts';
import type { HandlersOf } from '../../../shared/bridge/server.ts';
import { given } from '../../../shared/given.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Person } from '../../clinic/people/users.ts';
import type { Answers } from './caller.ts';

const isIpv4 = (name: string): boolean => /^\d+(\.\d+){3}$/.test(name);
/** It is good on one cable of one computer alone. */
const isLinkLocal = (name: string): boolean => /^fe80:/i.test(name);

type Names = Pick<Awaited<ReturnType<SeatIdentity>>, 'names' | 'certifiedNames'>;

/**
 * The addresses that the certificate is for, so that no browser warns of others; numbers first, as not every tablet
 * finds a computer of the network by its name.
 */
export function urlsOf(host: string, { names, certifiedNames }: Names, port: number): string[] {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const known = certifiedNames.length > 0 ? certifiedNames : names;
  const isHostFit = certifiedNames.length === 0 || certifiedNames.includes(host);
  const usable = !isEverywhere && isHostFit ? [host] : known.filter((name) => !isLinkLocal(name));
  const ordered = [...usable.filter(isIpv4), ...usable.filter((name) => !isIpv4(name))];
  return ordered.map((name) => `https://${name.includes(':') ? `[${name}]` : name}:${port}`);
}

/** The certificate by which seats know this computer. */
export type SeatIdentity = () => Promise<{
  /** PEM, both. */
  readonly certificate: string;
  readonly key: string;
  /** SHA-256 of the certificate, pairs of hexadecimal digits. */
  readonly fingerprint: string;
  /** Names and addresses under which the network may know this computer. */
  readonly names: readonly string[];
  /** The names and addresses that the certificate is for. */
  readonly certifiedNames: readonly string[];
}>;

export function seatAnswers(
  { context, seats, sessions }: Clinic,
  identity: SeatIdentity,
): Answers<keyof typeof SEAT_QUERIES | keyof typeof SEAT_COMMANDS> {
  return {
    'seat.list': async () => {
      const settings = context.settings();
      const isOn = settings['seats.on'];
      const { port, trouble } = seats.door;
      const known = isOn ? await identity().catch(() => undefined) : undefined;
      const reason: SeatTrouble | undefined = !sessions.areNeeded
        ? 'accounts'
        : known === undefined
          ? 'certificate'
          : trouble;
      return {
        isOn,
        ...(isOn && given({ trouble: reason })),
        urls: port === undefined || known === undefined ? [] : urlsOf(settings['seats.host'], known, port),
        ...given({ fingerprint: known?.fingerprint }),
        seats: seats.list().map(({ id, name, madeMs, seenMs, isOpen, person }) => ({
          seatId: id,
          name,
          madeMs,
          isOpen,
          ...given({ seenMs, person }),
        })),
      };
    },
    'seat.invite': async ({ name }, { person }) => seats.invite(name, person as Person),
    'seat.rename': async ({ seatId, name }, { actor }) => {
      await seats.rename(seatId, name, actor);
      return {};
    },
    'seat.remove': async ({ seatId }, { actor }) => {
      await seats.remove(seatId, actor);
      return {};
    },
  };
}

export function seatDoorHandlers(
  { context, seats, doors }: Clinic,
  identity: SeatIdentity,
): HandlersOf<SeatDoorCall> {
  return {
    'door.state': async () => {
      if (!seats.areOpen) return { seatIds: [] };
      const seatIds = seats.list().map(({ id }) => id);
      // Whoever was removed is turned out all the same.
      const known = await identity().catch(() => undefined);
      if (known === undefined) return { seatIds };
      const { certificate, key, names } = known;
      const settings = context.settings();
      return {
        place: {
          host: settings['seats.host'],
          port: settings['seats.port'],
          certificate,
          key,
          names: [...names],
        },
        seatIds,
      };
    },
    'door.report': async (state) => {
      seats.noteDoor(state);
      return {};
    },
    'door.turnedAway': async ({ address, count }) => {
      doors.note('seats', address, count);
      return {};
    },
    'door.pair': async ({ code }) => ({ secret: await seats.pair(code) }),
    'door.recognise': async ({ secret }) => ({ seatId: seats.recognise(secret).id }),
  };
}
