// The small pieces that messages of the bridge are made of.

import { Type } from 'typebox';

export const closed = { additionalProperties: false } as const;
export const taskId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const text = (maxLength: number) => Type.String({ maxLength });
/** Something that a person can choose. */
export const Choice = Type.Object({ id: text(64), name: text(256) }, closed);
export const none = Type.Object({}, closed);
/** A PIN or a password. */
export const secret = Type.String({ minLength: 1, maxLength: 256 });
/** Why somebody does something. */
export const reason = text(1000);
export const deskId = text(512);
/**
 * Bytes travel as they are, never as text. Checked by the dispatcher, because JSON schema knows no byte
 * arrays.
 */
export const bytes = Type.Unsafe<Uint8Array>({ description: 'bytes' });
