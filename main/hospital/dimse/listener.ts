// Answers other DICOM programs: whether we are there (C-ECHO), and what an archive says of the objects that it was to keep
// (N-EVENT-REPORT; PS3.4, annex J). Nothing else is offered, and what comes in is bounded.

import type { Door } from '../../door/door.ts';
import { EXPLICIT_LITTLE_ENDIAN, IMPLICIT_LITTLE_ENDIAN } from '../../formats/dicom/dicom-uids.ts';
import { ConnectionError, type Listener, listenAt, type Place } from '../connection.ts';
import { DicomChannel, isMessage, type Message, OWN_MOST_BYTES } from './channel.ts';
import { ANSWER, type CommandSet, FIELD } from './command-set.ts';
import type { AssociateRequest } from './pdu.ts';
import { answerToReport, COMMITMENT, type OnCommitment, SUCCESS, VERIFICATION } from './requests.ts';

const SERVICES: readonly string[] = [VERIFICATION, COMMITMENT];
const REQUEST_MS = 10_000;
/** An association on which nothing happens is ended. */
const IDLE_MS = 60_000;
const ANSWER_MS = 20_000;
const NOT_OFFERED = 0x0122;
const REJECT_OTHER_TITLE = { kind: 'reject', result: 1, source: 1, reason: 7 } as const;

export interface ListenerOptions extends Place {
  readonly door: Door;
  /** What we are called here. */
  readonly ownTitle: () => string;
  readonly onCommitment: OnCommitment;
}

type Answer = Omit<CommandSet, 'datasetType'>;

async function answerTo(
  message: Message,
  isImplicit: boolean,
  { onCommitment }: ListenerOptions,
): Promise<Answer> {
  const report = await answerToReport(message, isImplicit, onCommitment);
  if (report !== undefined) return report;
  const { field = 0, messageId, affectedClass } = message.command;
  return {
    field: field + ANSWER,
    ...(messageId !== undefined && { answeredId: messageId }),
    ...(affectedClass !== undefined && { affectedClass }),
    status: field === FIELD.echo ? SUCCESS : NOT_OFFERED,
  };
}

/** By context: whether its datasets are implicit; those that are not offered are missing. */
function accepted({ contexts }: AssociateRequest): ReadonlyMap<number, boolean> {
  return new Map(
    contexts.flatMap(({ id, abstractSyntax, transferSyntaxes }): (readonly [number, boolean])[] => {
      if (!SERVICES.includes(abstractSyntax)) return [];
      if (transferSyntaxes.includes(EXPLICIT_LITTLE_ENDIAN)) return [[id, false]];
      return transferSyntaxes.includes(IMPLICIT_LITTLE_ENDIAN) ? [[id, true]] : [];
    }),
  );
}

async function converse(channel: DicomChannel, options: ListenerOptions, isKnown: () => void): Promise<void> {
  const request = await channel.receive(REQUEST_MS);
  if (isMessage(request) || request.kind !== 'request') throw new ConnectionError('odd');
  if (request.calledTitle !== options.ownTitle()) {
    await channel.sendPdu(REJECT_OTHER_TITLE, ANSWER_MS);
    return;
  }
  const contexts = accepted(request);
  channel.mostBytes = request.mostBytes;
  channel.isOpen = true;
  isKnown();
  await channel.sendPdu(
    {
      kind: 'accept',
      calledTitle: request.calledTitle,
      callingTitle: request.callingTitle,
      mostBytes: OWN_MOST_BYTES,
      // An archive that reports asks for the other role than whoever opens an association usually has.
      roles: request.roles.filter(({ abstractSyntax }) => abstractSyntax === COMMITMENT),
      contexts: request.contexts.map(({ id }) => ({
        id,
        isAccepted: contexts.has(id),
        transferSyntax: contexts.get(id) === true ? IMPLICIT_LITTLE_ENDIAN : EXPLICIT_LITTLE_ENDIAN,
      })),
    },
    ANSWER_MS,
  );
  for (;;) {
    const received = await channel.receive(IDLE_MS);
    if (isMessage(received)) {
      const isImplicit = contexts.get(received.contextId);
      if (isImplicit === undefined) throw new ConnectionError('odd');
      const answer = await answerTo(received, isImplicit, options);
      await channel.sendMessage(received.contextId, answer, undefined, ANSWER_MS);
    } else if (received.kind === 'releaseRequest') {
      await channel.sendPdu({ kind: 'release' }, ANSWER_MS);
      return;
    } else return;
  }
}

/** @throws Error of Node where the port cannot be had */
export function listen(options: ListenerOptions): Promise<Listener> {
  return listenAt(options, options.door, (socket, isKnown) => {
    const channel = new DicomChannel(socket);
    converse(channel, options, isKnown)
      .then(() => channel.end())
      // Whoever speaks no DICOM, or not to its end, is hung up on.
      .catch(() => channel[Symbol.dispose]());
  });
}
