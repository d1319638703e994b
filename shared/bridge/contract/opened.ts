// Files that somebody opened with the program, outside of its pages: a page asks for them, and imports them when a person has
// agreed. No page can ask for any other file.

import { Type } from 'typebox';
import { MAX_BRIDGE_BUFFER_BYTES } from '../bounds.ts';
import { bytes, closed, none, text } from '../fields.ts';
import type { Operation } from './operation.ts';

export const OPENED_QUERIES = {
  'opened.list': {
    input: none,
    output: Type.Object(
      {
        files: Type.Array(
          Type.Object({ id: text(64), name: Type.String(), sizeBytes: Type.Number() }, closed),
        ),
      },
      closed,
    ),
    right: 'signedIn',
    isDeskOnly: true,
  },
} as const satisfies Record<string, Operation>;

export const OPENED_COMMANDS = {
  /** @throws `file_not_found` where so much of it is not there any more */
  'opened.read': {
    input: Type.Object(
      {
        id: text(64),
        offsetBytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        lengthBytes: Type.Integer({ minimum: 1, maximum: MAX_BRIDGE_BUFFER_BYTES }),
      },
      closed,
    ),
    output: Type.Object({ bytes }, closed),
    right: 'signedIn',
    isDeskOnly: true,
  },
  /** They were taken, or are not wanted. */
  'opened.close': {
    input: Type.Object({ ids: Type.Array(text(64), { maxItems: 100 }) }, closed),
    output: none,
    right: 'signedIn',
    isDeskOnly: true,
  },
} as const satisfies Record<string, Operation>;
