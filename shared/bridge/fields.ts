// The small pieces that messages of the bridge are made of.

import { Type } from 'typebox';

export const closed = { additionalProperties: false } as const;
export const taskId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const text = (maxLength: number) => Type.String({ maxLength });
/** Something that a person can choose. */
export const Choice = Type.Object({ id: text(64), name: text(256) }, closed);
