// New versions of the program: what there is, and getting it.

import { type Static, Type } from 'typebox';
import { closed, none, text } from '../fields.ts';
import type { Call, Operation } from './operation.ts';

/**
 * What a look found: a newer version; that what runs is the newest; or a newer one that the server does not offer to
 * this workstation, yet or at all.
 */
const LookOutcome = Type.Enum(['newer', 'newest', 'heldBack']);
export type LookOutcome = Static<typeof LookOutcome>;

const Failure = Type.Object({ atMs: Type.Number(), reason: Type.String() }, closed);

/** What has to end before the program may. */
export const UPDATE_HINDRANCES = ['recording', 'upload', 'analysis', 'backup'] as const;

export const UpdateState = Type.Object(
  {
    /** What runs now. */
    version: Type.String(),
    /** The outcome of the last look since the start, at the server that is set. */
    outcome: Type.Optional(LookOutcome),
    /** Before an update: a folder for backups is set up. */
    makesBackup: Type.Boolean(),
    /** Why none can be installed from here; absent where that is possible. */
    unavailable: Type.Optional(Type.Enum(['host', 'keys'])),
    work: Type.Optional(
      Type.Object(
        {
          kind: Type.Enum(['looking', 'fetching', 'preparing', 'installing']),
          done: Type.Number(),
          of: Type.Number(),
        },
        closed,
      ),
    ),
    /** Newer than what runs, and signed. */
    release: Type.Optional(
      Type.Object(
        {
          version: Type.String(),
          notes: Type.Object({ en: Type.String(), es: Type.String() }, closed),
          sizeBytes: Type.Number(),
          isFetched: Type.Boolean(),
        },
        closed,
      ),
    ),
    /** When the list of a release was last read and held, at the server that is set. */
    verifiedMs: Type.Optional(Type.Number()),
    /** Since then. */
    failed: Type.Optional(Failure),
    hindrance: Type.Optional(Type.Enum([...UPDATE_HINDRANCES])),
    /** What became of the last one. */
    last: Type.Optional(
      Type.Object(
        {
          version: Type.String(),
          fromVersion: Type.String(),
          atMs: Type.Number(),
          isInstalled: Type.Boolean(),
          /** The installer of the version before, where it was kept. */
          wayBack: Type.Optional(Type.String()),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type UpdateState = Static<typeof UpdateState>;

export const UPDATE_QUERIES = {
  'update.state': { input: none, output: UpdateState, right: 'signedIn' },
} as const satisfies Record<string, Operation>;

export const UPDATE_COMMANDS = {
  /**
   * At the server that is set, or in a folder. @throws `update_unavailable`, `update_unreachable`,
   * `update_unsigned`, `update_expired`, `update_unsuitable`, `update_damaged`
   */
  'update.look': {
    input: Type.Object({ folder: Type.Optional(text(1024)) }, closed),
    output: Type.Object({ outcome: LookOutcome }, closed),
    right: 'settings',
    isDeskOnly: true,
  },
  /** Returns at once; how far it is stands in the state. @throws `update_blocked` while something is recorded */
  'update.fetch': { input: none, output: none, right: 'settings', isDeskOnly: true },
  /** Makes a backup first, then ends the program. Returns at once. @throws `update_blocked` */
  'update.install': { input: none, output: none, right: 'settings', isDeskOnly: true },
} as const satisfies Record<string, Operation>;

/** What the clinic asks of the host, which alone can replace the program; no page may. */
export const INSTALLER_CALLS = {
  'installer.read': {
    input: Type.Object({ url: text(2048), maxBytes: Type.Integer() }, closed),
    output: Type.Object({ bytes: Type.Unsafe<Uint8Array>({ description: 'bytes' }) }, closed),
  },
  'installer.look': {
    input: Type.Object({ url: text(2048) }, closed),
    output: Type.Object(
      {
        offered: Type.Optional(
          Type.Object(
            {
              version: text(64),
              files: Type.Array(Type.Object({ name: text(256), sha512: text(128) }, closed), {
                maxItems: 100,
              }),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
  },
  'installer.fetch': { input: none, output: Type.Object({ path: Type.String() }, closed) },
  'installer.install': { input: none, output: none },
} as const satisfies Record<string, Call>;
