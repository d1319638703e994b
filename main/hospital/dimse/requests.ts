// What is asked of an archive or a worklist (PS3.7, 9.1 and 10.1; PS3.4, annexes A, B, J, K): one association a request.

import { ConnectionError } from '../connection.ts';
import { Association, type DicomPeer } from './association.ts';
import type { Message } from './channel.ts';
import { ANSWER, type CommandSet, FIELD } from './command-set.ts';

export const VERIFICATION = '1.2.840.10008.1.1';
const WORKLIST = '1.2.840.10008.5.1.4.31';
export const COMMITMENT = '1.2.840.10008.1.20.1';
const COMMITMENT_INSTANCE = '1.2.840.10008.1.20.1.1';
const MEDIUM_PRIORITY = 0;
const REQUEST_COMMITMENT = 1;

const ANSWER_MS = 30_000;
/** An archive may look at an object before it answers. */
const STORED_MS = 120_000;

export const SUCCESS = 0x0000;
const PENDING: readonly number[] = [0xff00, 0xff01];
/** A question takes so long at the most, and so many answers may come behind those that are wanted. */
const LONGEST_MS = 60_000;
const MOST_OVER = 1000;

/** What the other side says of a request. */
export interface Said {
  readonly status: number;
  /** Its own words, where it has any. */
  readonly comment: string | undefined;
}
const TAKEN: Said = { status: SUCCESS, comment: undefined };

async function answerOf(association: Association, field: number, messageId: number, patienceMs: number) {
  const { command, dataset } = await association.receive(patienceMs);
  const { status, comment } = command;
  if (command.field !== field + ANSWER || command.answeredId !== messageId || status === undefined)
    throw new ConnectionError('odd');
  return { said: { status, comment } satisfies Said, dataset };
}

/** C-ECHO. @throws ConnectionError, AssociationRefused */
export async function echo(peer: DicomPeer, signal?: AbortSignal): Promise<Said> {
  await using association = await Association.open(peer, [VERIFICATION], { signal });
  const id = await association.send(
    VERIFICATION,
    { field: FIELD.echo, affectedClass: VERIFICATION },
    undefined,
    ANSWER_MS,
  );
  return (await answerOf(association, FIELD.echo, id, ANSWER_MS)).said;
}

/** Which of these services the other side offers us. @throws ConnectionError, AssociationRefused */
export async function offered(
  peer: DicomPeer,
  services: readonly string[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  await using association = await Association.open(peer, [VERIFICATION, ...services], { signal });
  return services.filter((service) => association.offers(service));
}

/** One object of an archive. */
export interface StoredObject {
  readonly classUid: string;
  readonly instanceUid: string;
  /** Explicit little endian, without the head of a file. */
  readonly dataset: AsyncIterable<Uint8Array>;
}

/** C-STORE. @throws ConnectionError, AssociationRefused */
export async function store(
  peer: DicomPeer,
  { classUid, instanceUid, dataset }: StoredObject,
  signal?: AbortSignal,
): Promise<Said> {
  await using association = await Association.open(peer, [classUid], { signal, isExplicitOnly: true });
  const command: CommandSet = {
    field: FIELD.store,
    affectedClass: classUid,
    affectedInstance: instanceUid,
    priority: MEDIUM_PRIORITY,
  };
  const id = await association.send(classUid, command, dataset, STORED_MS);
  return (await answerOf(association, FIELD.store, id, STORED_MS)).said;
}

/** What an archive says of objects that it was to keep. */
export interface CommitmentReport {
  readonly dataset: Uint8Array;
  readonly isImplicit: boolean;
}

/** @returns whether it was understood */
export type OnCommitment = (report: CommitmentReport) => Promise<boolean>;

const NOT_UNDERSTOOD = 0x0110;

/** Undefined where it is no report (N-EVENT-REPORT). */
export async function answerToReport(
  { command, dataset }: Message,
  isImplicit: boolean,
  onCommitment: OnCommitment,
): Promise<CommandSet | undefined> {
  if (command.field !== FIELD.event || command.affectedClass !== COMMITMENT) return undefined;
  const isUnderstood = dataset !== undefined && (await onCommitment({ dataset, isImplicit }));
  return {
    field: FIELD.event + ANSWER,
    ...(command.messageId !== undefined && { answeredId: command.messageId }),
    affectedClass: COMMITMENT,
    ...(command.affectedInstance !== undefined && { affectedInstance: command.affectedInstance }),
    ...(command.eventType !== undefined && { eventType: command.eventType }),
    status: isUnderstood ? SUCCESS : NOT_UNDERSTOOD,
  };
}

/** So long an archive may report in the same connection; others open one of their own. */
const SAME_CONNECTION_MS = 1500;

/**
 * N-ACTION: the archive is to say that it keeps some objects. It says so by an N-EVENT-REPORT, later in a connection of its own,
 * or in this one.
 * @param answered settles when it was said elsewhere what is kept
 * @param dataset transaction and objects, in implicit little endian where that is wanted
 * @throws ConnectionError, AssociationRefused
 */
export async function requestCommitment(
  peer: DicomPeer,
  dataset: (isImplicit: boolean) => Uint8Array,
  onCommitment: OnCommitment,
  answered: Promise<unknown>,
  signal?: AbortSignal,
): Promise<Said> {
  await using association = await Association.open(peer, [COMMITMENT], { signal });
  const command: CommandSet = {
    field: FIELD.action,
    requestedClass: COMMITMENT,
    requestedInstance: COMMITMENT_INSTANCE,
    actionType: REQUEST_COMMITMENT,
  };
  const isImplicit = association.isImplicit(COMMITMENT);
  const id = await association.send(COMMITMENT, command, [dataset(isImplicit)], ANSWER_MS);
  let said: Said | undefined;
  for (;;) {
    const message =
      said === undefined
        ? await association.receive(ANSWER_MS)
        : // It was taken; what is kept may be said elsewhere, or later.
          await Promise.race([
            association.receive(SAME_CONNECTION_MS).catch(() => undefined),
            answered.then(() => undefined),
          ]);
    if (message === undefined) return said as Said;
    const report = await answerToReport(message, isImplicit, onCommitment);
    if (report !== undefined) {
      await association.answer(message.contextId, report, ANSWER_MS);
      if (said !== undefined) return said;
      continue;
    }
    const { field, answeredId, status, comment } = message.command;
    if (field !== FIELD.action + ANSWER || answeredId !== id || status === undefined)
      throw new ConnectionError('odd');
    said = { status, comment };
    if (status !== SUCCESS) return said;
  }
}

/**
 * C-FIND in a modality worklist.
 * @param query in implicit little endian where that is wanted
 * @param most of entries that are taken
 * @throws ConnectionError, AssociationRefused
 */
export async function findInWorklist(
  peer: DicomPeer,
  query: (isImplicit: boolean) => Uint8Array,
  most: number,
  signal?: AbortSignal,
): Promise<{ readonly said: Said; readonly entries: readonly Uint8Array[]; readonly isImplicit: boolean }> {
  await using association = await Association.open(peer, [WORKLIST], { signal });
  const isImplicit = association.isImplicit(WORKLIST);
  const command: CommandSet = { field: FIELD.find, affectedClass: WORKLIST, priority: MEDIUM_PRIORITY };
  const id = await association.send(WORKLIST, command, [query(isImplicit)], ANSWER_MS);
  const entries: Uint8Array[] = [];
  const startMs = performance.now();
  let over = 0;
  for (;;) {
    const { said, dataset } = await answerOf(association, FIELD.find, id, ANSWER_MS);
    // A cancelled question has all the answers that were wanted.
    if (!PENDING.includes(said.status)) return { said: over > 0 ? TAKEN : said, entries, isImplicit };
    if (dataset !== undefined && entries.length < most) entries.push(dataset);
    else if (entries.length >= most) {
      if (over++ === 0) await association.cancel(WORKLIST, id, ANSWER_MS);
    }
    // Whoever does not listen to that either, or takes minutes, is not listened to any more.
    if (over > MOST_OVER || performance.now() - startMs > LONGEST_MS) {
      association.giveUp();
      if (entries.length < most) throw new ConnectionError('silent');
      return { said: TAKEN, entries, isImplicit };
    }
  }
}
