// Other computers and tablets of the clinic: what pages ask about them, and what the door to them asks of the clinic.

import { Type } from 'typebox';
import { closed, none, text } from '../fields.ts';
import { UserView } from '../views.ts';
import type { Call, Operation } from './operation.ts';

const seatId = Type.Integer();
const name = text(256);
const LONGEST_SECRET = 256;
const port = Type.Integer({ minimum: 0, maximum: 65_535 });

const SEAT_TROUBLES = ['accounts', 'port', 'certificate'] as const;
export type SeatTrouble = (typeof SEAT_TROUBLES)[number];

export const SEAT_QUERIES = {
  'seat.list': {
    input: none,
    output: Type.Object(
      {
        isOn: Type.Boolean(),
        /** Why nobody can come in. */
        trouble: Type.Optional(Type.Enum([...SEAT_TROUBLES])),
        /** Where seats find this workstation; those that any tablet understands first. */
        urls: Type.Array(Type.String()),
        /** SHA-256 of the certificate. */
        fingerprint: Type.Optional(Type.String()),
        seats: Type.Array(
          Type.Object(
            {
              seatId,
              name: Type.String(),
              madeMs: Type.Number(),
              seenMs: Type.Optional(Type.Number()),
              isOpen: Type.Boolean(),
              person: Type.Optional(UserView),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    right: 'settings',
  },
} as const satisfies Record<string, Operation>;

export const SEAT_COMMANDS = {
  /** A code with which one browser becomes a seat of this name. */
  'seat.invite': {
    input: Type.Object({ name }, closed),
    output: Type.Object({ code: Type.String(), untilMs: Type.Number() }, closed),
    right: 'settings',
    needsAccount: true,
  },
  'seat.rename': {
    input: Type.Object({ seatId, name }, closed),
    output: none,
    right: 'settings',
    needsAccount: true,
  },
  'seat.remove': {
    input: Type.Object({ seatId }, closed),
    output: none,
    right: 'settings',
    needsAccount: true,
  },
} as const satisfies Record<string, Operation>;

/** What the door on the main thread asks of the clinic; no page may. */
export const SEAT_DOOR_CALLS = {
  'door.state': {
    input: none,
    output: Type.Object(
      {
        /** Absent where the door is to be closed. */
        place: Type.Optional(
          Type.Object(
            {
              host: Type.String(),
              port,
              certificate: Type.String(),
              key: Type.String(),
              /** Names and addresses that the certificate is for. */
              names: Type.Array(Type.String()),
            },
            closed,
          ),
        ),
        /** The seats that may be in. */
        seatIds: Type.Array(seatId),
      },
      closed,
    ),
  },
  'door.report': {
    input: Type.Object({ port: Type.Optional(port), trouble: Type.Optional(Type.Enum(['port'])) }, closed),
    output: none,
  },
  /** Connections for which there was no room, and where the last of them came from. */
  'door.turnedAway': {
    input: Type.Object({ address: text(64), count: Type.Integer({ minimum: 1 }) }, closed),
    output: none,
  },
  'door.pair': {
    input: Type.Object({ code: text(LONGEST_SECRET) }, closed),
    output: Type.Object({ secret: Type.String() }, closed),
  },
  'door.recognise': {
    input: Type.Object({ secret: text(LONGEST_SECRET) }, closed),
    output: Type.Object({ seatId }, closed),
  },
} as const satisfies Record<string, Call>;
