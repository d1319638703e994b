// The units that two DICOM programs exchange over a connection: bytes ↔ values (PS3.8, 9.3).

const TYPE = { request: 1, accept: 2, reject: 3, data: 4, releaseRequest: 5, release: 6, abort: 7 } as const;
const ITEM = {
  application: 0x10,
  proposed: 0x20,
  answered: 0x21,
  abstractSyntax: 0x30,
  transferSyntax: 0x40,
  user: 0x50,
  mostBytes: 0x51,
  implementation: 0x52,
  roles: 0x54,
  version: 0x55,
} as const;

const APPLICATION_CONTEXT = '1.2.840.10008.3.1.1.1';
const HEAD_BYTES = 6;
const TITLE_CHARACTERS = 16;
/** Up to the items of a request or its answer. */
const ASSOCIATE_BYTES = 68;
/** Nobody sends more of these: what claims to is no DICOM. */
const MOST_UNIT_BYTES = 1 << 20;
const PIECE_HEAD_BYTES = 6;
const COMMAND_FLAG = 1;
const LAST_FLAG = 2;

export interface ProposedContext {
  readonly id: number;
  readonly abstractSyntax: string;
  readonly transferSyntaxes: readonly string[];
}

export interface AnsweredContext {
  readonly id: number;
  readonly isAccepted: boolean;
  readonly transferSyntax: string;
}

/** For one service: which sides whoever asks for the association wants to take. */
export interface Roles {
  readonly abstractSyntax: string;
  readonly isUser: boolean;
  readonly isProvider: boolean;
}

interface Associating {
  readonly calledTitle: string;
  readonly callingTitle: string;
  /** Largest unit of data that the sender takes; 0 has no limit. */
  readonly mostBytes: number;
  readonly roles: readonly Roles[];
}

export interface AssociateRequest extends Associating {
  readonly kind: 'request';
  readonly contexts: readonly ProposedContext[];
}

export interface AssociateAccept extends Associating {
  readonly kind: 'accept';
  readonly contexts: readonly AnsweredContext[];
}

/** A part of a command or of a dataset. */
export interface DataPiece {
  readonly contextId: number;
  readonly isCommand: boolean;
  readonly isLast: boolean;
  readonly bytes: Uint8Array;
}

export type Pdu =
  | AssociateRequest
  | AssociateAccept
  | { readonly kind: 'reject'; readonly result: number; readonly source: number; readonly reason: number }
  | { readonly kind: 'data'; readonly pieces: readonly DataPiece[] }
  | { readonly kind: 'releaseRequest' | 'release' }
  | { readonly kind: 'abort'; readonly source: number; readonly reason: number };

/** What came in is no DICOM. */
export class PduError extends Error {}

const item = (type: number, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  const head = Buffer.from([type, 0, 0, 0]);
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
};
const textItem = (type: number, text: string): Buffer => item(type, Buffer.from(text, 'latin1'));

const title = (text: string): Buffer =>
  Buffer.from(text.padEnd(TITLE_CHARACTERS).slice(0, TITLE_CHARACTERS), 'latin1');

function unit(type: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = type;
  head.writeUInt32BE(body.length, 2);
  return Buffer.concat([head, body]);
}

function rolesItem({ abstractSyntax, isUser, isProvider }: Roles): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(abstractSyntax.length);
  return item(
    ITEM.roles,
    length,
    Buffer.from(abstractSyntax, 'latin1'),
    Uint8Array.of(Number(isUser), Number(isProvider)),
  );
}

/** The program that speaks. */
export interface Implementation {
  readonly uid: string;
  readonly version: string;
}

function userItem({ mostBytes, roles }: Associating, { uid, version }: Implementation): Buffer {
  const most = Buffer.alloc(4);
  most.writeUInt32BE(mostBytes);
  return item(
    ITEM.user,
    item(ITEM.mostBytes, most),
    textItem(ITEM.implementation, uid),
    ...roles.map(rolesItem),
    textItem(ITEM.version, version),
  );
}

const contextItem = (type: number, id: number, result: number, ...content: readonly Buffer[]): Buffer =>
  item(type, Uint8Array.of(id, 0, result, 0), ...content);

function associateUnit(
  associating: AssociateRequest | AssociateAccept,
  implementation: Implementation,
): Buffer {
  const contexts =
    associating.kind === 'request'
      ? associating.contexts.map(({ id, abstractSyntax, transferSyntaxes }) =>
          contextItem(
            ITEM.proposed,
            id,
            0,
            textItem(ITEM.abstractSyntax, abstractSyntax),
            ...transferSyntaxes.map((uid) => textItem(ITEM.transferSyntax, uid)),
          ),
        )
      : associating.contexts.map(({ id, isAccepted, transferSyntax }) =>
          // 3: this service is not offered here.
          contextItem(ITEM.answered, id, isAccepted ? 0 : 3, textItem(ITEM.transferSyntax, transferSyntax)),
        );
  return unit(
    TYPE[associating.kind],
    Uint8Array.of(0, 1, 0, 0),
    title(associating.calledTitle),
    title(associating.callingTitle),
    new Uint8Array(32),
    textItem(ITEM.application, APPLICATION_CONTEXT),
    ...contexts,
    userItem(associating, implementation),
  );
}

/** One piece of data as a unit of its own: its head, behind which the bytes go. */
export function dataHead({ contextId, isCommand, isLast, bytes }: DataPiece): Buffer {
  const head = Buffer.alloc(HEAD_BYTES + PIECE_HEAD_BYTES);
  head[0] = TYPE.data;
  head.writeUInt32BE(bytes.length + PIECE_HEAD_BYTES, 2);
  head.writeUInt32BE(bytes.length + 2, HEAD_BYTES);
  head[10] = contextId;
  head[11] = (isCommand ? COMMAND_FLAG : 0) | (isLast ? LAST_FLAG : 0);
  return head;
}

/** What of a unit of data is no payload. */
export const DATA_OVERHEAD_BYTES = PIECE_HEAD_BYTES;

export function encodePdu(pdu: Exclude<Pdu, { kind: 'data' }>, implementation: Implementation): Buffer {
  switch (pdu.kind) {
    case 'request':
    case 'accept':
      return associateUnit(pdu, implementation);
    case 'reject':
      return unit(TYPE.reject, Uint8Array.of(0, pdu.result, pdu.source, pdu.reason));
    case 'abort':
      return unit(TYPE.abort, Uint8Array.of(0, 0, pdu.source, pdu.reason));
    default:
      return unit(TYPE[pdu.kind], new Uint8Array(4));
  }
}

const plain = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
    .trimStart();

function* items(bytes: Buffer): Generator<{ readonly type: number; readonly body: Buffer }> {
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) throw new PduError('an item is cut off');
    const end = at + 4 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) throw new PduError('an item is cut off');
    yield { type: bytes[at] as number, body: bytes.subarray(at + 4, end) };
    at = end;
  }
}

function decodeRoles(body: Buffer): Roles {
  const length = body.length < 2 ? 0 : body.readUInt16BE(0);
  if (body.length !== length + 4) throw new PduError('the roles are cut off');
  return {
    abstractSyntax: plain(body.subarray(2, 2 + length)),
    isUser: body[2 + length] === 1,
    isProvider: body[3 + length] === 1,
  };
}

function decodeAssociate(kind: 'request' | 'accept', body: Buffer): AssociateRequest | AssociateAccept {
  if (body.length < ASSOCIATE_BYTES) throw new PduError('the request is cut off');
  const proposed: ProposedContext[] = [];
  const answered: AnsweredContext[] = [];
  const roles: Roles[] = [];
  let mostBytes = 0;
  for (const { type, body: content } of items(body.subarray(ASSOCIATE_BYTES))) {
    if (type === ITEM.proposed || type === ITEM.answered) {
      if (content.length < 4) throw new PduError('a context is cut off');
      const parts = [...items(content.subarray(4))];
      const textsOf = (wanted: number): string[] =>
        parts.filter((part) => part.type === wanted).map((part) => plain(part.body));
      const id = content[0] as number;
      const transferSyntaxes = textsOf(ITEM.transferSyntax);
      if (type === ITEM.proposed)
        proposed.push({ id, abstractSyntax: textsOf(ITEM.abstractSyntax)[0] ?? '', transferSyntaxes });
      else answered.push({ id, isAccepted: content[2] === 0, transferSyntax: transferSyntaxes[0] ?? '' });
    } else if (type === ITEM.user)
      for (const { type: kindOf, body: value } of items(content)) {
        if (kindOf === ITEM.mostBytes && value.length === 4) mostBytes = value.readUInt32BE();
        else if (kindOf === ITEM.roles) roles.push(decodeRoles(value));
      }
  }
  const titles = { calledTitle: plain(body.subarray(4, 20)), callingTitle: plain(body.subarray(20, 36)) };
  return kind === 'request'
    ? { kind, ...titles, mostBytes, roles, contexts: proposed }
    : { kind, ...titles, mostBytes, roles, contexts: answered };
}

function decodePieces(body: Buffer): DataPiece[] {
  const pieces: DataPiece[] = [];
  for (let at = 0; at < body.length; ) {
    const length = at + PIECE_HEAD_BYTES > body.length ? 0 : body.readUInt32BE(at);
    const end = at + 4 + length;
    if (length < 2 || end > body.length) throw new PduError('a piece of data is cut off');
    const flags = body[at + 5] as number;
    pieces.push({
      contextId: body[at + 4] as number,
      isCommand: (flags & COMMAND_FLAG) !== 0,
      isLast: (flags & LAST_FLAG) !== 0,
      bytes: body.subarray(at + PIECE_HEAD_BYTES, end),
    });
    at = end;
  }
  return pieces;
}

function decode(type: number, body: Buffer): Pdu {
  const at = (index: number): number => body[index] ?? 0;
  switch (type) {
    case TYPE.request:
      return decodeAssociate('request', body);
    case TYPE.accept:
      return decodeAssociate('accept', body);
    case TYPE.reject:
      return { kind: 'reject', result: at(1), source: at(2), reason: at(3) };
    case TYPE.data:
      return { kind: 'data', pieces: decodePieces(body) };
    case TYPE.releaseRequest:
      return { kind: 'releaseRequest' };
    case TYPE.release:
      return { kind: 'release' };
    case TYPE.abort:
      return { kind: 'abort', source: at(2), reason: at(3) };
    default:
      throw new PduError(`there is no unit of type ${type}`);
  }
}

/** Takes bytes as they come and gives the units that are whole. */
export class PduReader {
  #rest: Buffer = Buffer.alloc(0);

  /** @throws PduError */
  *read(bytes: Buffer): Generator<Pdu> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= HEAD_BYTES) {
      const length = this.#rest.readUInt32BE(2);
      const type = this.#rest[0] as number;
      if (type < TYPE.request || type > TYPE.abort || length > MOST_UNIT_BYTES)
        throw new PduError('these are not DICOM messages');
      const end = HEAD_BYTES + length;
      if (this.#rest.length < end) return;
      const body = this.#rest.subarray(HEAD_BYTES, end);
      this.#rest = this.#rest.subarray(end);
      yield decode(type, body);
    }
  }
}
