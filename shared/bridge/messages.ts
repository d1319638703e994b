// The messages of the bridge and the port that carries them. A port is anything that moves structured values
// and byte arrays in order: a MessagePort, Electron's IPC, a WebSocket.

import { type Static, Type } from 'typebox';
import type { PlainError } from '../errors.ts';

const closed = { additionalProperties: false } as const;
const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const name = Type.String({ minLength: 1, maxLength: 64 });

export const ClientMessage = Type.Union([
  Type.Object({ kind: Type.Literal('call'), id, name, input: Type.Unknown() }, closed),
  Type.Object({ kind: Type.Literal('cancel'), id }, closed),
  Type.Object({ kind: Type.Literal('subscribe'), name }, closed),
  Type.Object({ kind: Type.Literal('unsubscribe'), name }, closed),
]);
export type ClientMessage = Static<typeof ClientMessage>;

export type ServerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly output: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: PlainError }
  | { readonly kind: 'event'; readonly name: string; readonly payload: unknown };

export interface BridgePort {
  /** Does nothing once the port is closed. */
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}
