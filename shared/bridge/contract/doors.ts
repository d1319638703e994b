// Ports at which others connect: what pages ask about them.

import { Type } from 'typebox';
import { DOOR_NAMES } from '../../door-name.ts';
import { closed, none } from '../fields.ts';
import type { Operation } from './operation.ts';

export const DOOR_QUERIES = {
  /** Where connections were turned away in the last minutes. */
  'door.crowded': {
    input: none,
    output: Type.Object(
      {
        doors: Type.Array(
          Type.Object(
            {
              name: Type.Enum([...DOOR_NAMES]),
              count: Type.Integer(),
              sinceMs: Type.Number(),
              /** Where the last one came from. */
              address: Type.String(),
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
