// Asks another DICOM program for its services (PS3.8, 7.1; PS3.7, annex D): one association, one request after another.

import { EXPLICIT_LITTLE_ENDIAN, IMPLICIT_LITTLE_ENDIAN } from '../../formats/dicom/dicom-uids.ts';
import { AbortedError, type Address, ConnectionError, connectTo } from '../connection.ts';
import { DicomChannel, isMessage, type Message, OWN_MOST_BYTES } from './channel.ts';
import { type CommandSet, FIELD } from './command-set.ts';
import type { AnsweredContext, AssociateAccept, ProposedContext } from './pdu.ts';

const ASSOCIATE_MS = 20_000;
const RELEASE_MS = 3000;
/** Results, sources and reasons of a refusal (PS3.8, table 9-21). */
const PERMANENT = 1;
const BY_USER = 1;
const TITLE_REASONS: readonly number[] = [3, 7];

/** Whom, and as whom. */
export interface DicomPeer extends Address {
  /** Its application entity title. */
  readonly title: string;
  /** Our application entity title, as it is entered there. */
  readonly ownTitle: string;
}

/** `name`: it does not know one of the two titles; `service`: it talks, and does not offer what is asked for. */
export type Refusal = 'name' | 'service' | 'rejected' | 'busy';

/** The peer does not want to talk. */
export class AssociationRefused extends Error {
  readonly why: Refusal;

  constructor(why: Refusal) {
    super(`the association was refused: ${why}`);
    this.why = why;
  }
}

interface Context {
  readonly id: number;
  /** How datasets are written in it. */
  readonly isImplicit: boolean;
}

export interface AssociationOptions {
  readonly signal?: AbortSignal | undefined;
  /** Datasets are there in explicit little endian alone. */
  readonly isExplicitOnly?: boolean;
}

export class Association implements AsyncDisposable {
  readonly #channel: DicomChannel;
  readonly #contexts: ReadonlyMap<string, Context>;
  readonly #forget: () => void;
  /** A message was not sent to its end: there is nothing left to say. */
  #isSpoilt = false;
  #nextId = 1;

  private constructor(channel: DicomChannel, contexts: ReadonlyMap<string, Context>, forget: () => void) {
    this.#channel = channel;
    this.#contexts = contexts;
    this.#forget = forget;
  }

  /**
   * @param services UIDs of what is asked for
   * @throws ConnectionError, AssociationRefused
   */
  static async open(
    peer: DicomPeer,
    services: readonly string[],
    { signal, isExplicitOnly = false }: AssociationOptions = {},
  ): Promise<Association> {
    const channel = new DicomChannel(await connectTo(peer, signal));
    const giveUp = (): void => channel[Symbol.dispose]();
    const forget = (): void => signal?.removeEventListener('abort', giveUp);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      // A context for each way of writing, so that the other side chooses none for us.
      const syntaxes = isExplicitOnly
        ? [EXPLICIT_LITTLE_ENDIAN]
        : [EXPLICIT_LITTLE_ENDIAN, IMPLICIT_LITTLE_ENDIAN];
      const contexts = services
        .flatMap((abstractSyntax) =>
          syntaxes.map((syntax) => ({ abstractSyntax, transferSyntaxes: [syntax] })),
        )
        .map((context, i): ProposedContext => ({ ...context, id: 2 * i + 1 }));
      await channel.sendPdu(
        {
          kind: 'request',
          calledTitle: peer.title,
          callingTitle: peer.ownTitle,
          mostBytes: OWN_MOST_BYTES,
          roles: [],
          contexts,
        },
        ASSOCIATE_MS,
      );
      const accepted = await Association.#answer(channel);
      channel.mostBytes = accepted.mostBytes;
      const usable = new Map<string, Context>();
      for (const { id, abstractSyntax, transferSyntaxes } of contexts) {
        const isAccepted = accepted.contexts.some(
          (each: AnsweredContext) => each.id === id && each.isAccepted,
        );
        if (isAccepted && !usable.has(abstractSyntax))
          usable.set(abstractSyntax, { id, isImplicit: transferSyntaxes[0] === IMPLICIT_LITTLE_ENDIAN });
      }
      if (usable.size === 0) throw new AssociationRefused('service');
      return new Association(channel, usable, forget);
    } catch (error) {
      forget();
      channel[Symbol.dispose]();
      throw error;
    }
  }

  static async #answer(channel: DicomChannel): Promise<AssociateAccept> {
    const answer = await channel.receive(ASSOCIATE_MS);
    if (isMessage(answer)) throw new ConnectionError('odd');
    if (answer.kind === 'accept') return answer;
    if (answer.kind !== 'reject') throw new ConnectionError(answer.kind === 'abort' ? 'broken' : 'odd');
    const { result, source, reason } = answer;
    if (source === BY_USER && TITLE_REASONS.includes(reason)) throw new AssociationRefused('name');
    throw new AssociationRefused(result === PERMANENT ? 'rejected' : 'busy');
  }

  offers(service: string): boolean {
    return this.#contexts.has(service);
  }

  /** Whether datasets of a service go in implicit little endian. @throws AssociationRefused where it is not offered */
  isImplicit(service: string): boolean {
    return this.#contextOf(service).isImplicit;
  }

  #contextOf(service: string): Context {
    const context = this.#contexts.get(service);
    if (context === undefined) throw new AssociationRefused('service');
    return context;
  }

  /**
   * Sends a request. Its answers come by {@link receive}.
   * @throws ConnectionError; AssociationRefused `service` where it is not offered
   */
  async send(
    service: string,
    command: Omit<CommandSet, 'messageId' | 'datasetType'>,
    dataset: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined,
    patienceMs: number,
  ): Promise<number> {
    const { id } = this.#contextOf(service);
    const messageId = this.#nextId++;
    this.#isSpoilt = true;
    await this.#channel.sendMessage(id, { ...command, messageId }, dataset, patienceMs);
    this.#isSpoilt = false;
    return messageId;
  }

  /** Asks to answer a request no further (PS3.7, 9.3.2.3). @throws ConnectionError */
  async cancel(service: string, messageId: number, patienceMs: number): Promise<void> {
    const { id } = this.#contextOf(service);
    await this.#channel.sendMessage(
      id,
      { field: FIELD.cancel, answeredId: messageId },
      undefined,
      patienceMs,
    );
  }

  /** Nobody waits for what the other side still sends: the connection ends without ceremony. */
  giveUp(): void {
    this.#isSpoilt = true;
  }

  /** What the other side asked is answered in the context in which it asked. @throws ConnectionError */
  async answer(
    contextId: number,
    command: Omit<CommandSet, 'datasetType'>,
    patienceMs: number,
  ): Promise<void> {
    await this.#channel.sendMessage(contextId, command, undefined, patienceMs);
  }

  /** @throws ConnectionError; AbortedError where the other side will not go on */
  async receive(patienceMs: number): Promise<Message> {
    const received = await this.#channel.receive(patienceMs);
    if (isMessage(received)) return received;
    if (received.kind === 'abort') throw new AbortedError();
    throw new ConnectionError(received.kind === 'releaseRequest' ? 'broken' : 'odd');
  }

  /** In order, where there is an order, and the other side still answers. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#forget();
    try {
      if (this.#isSpoilt) await this.#channel.sendPdu({ kind: 'abort', source: 0, reason: 0 }, RELEASE_MS);
      else await this.#release();
    } catch {
      // It is gone already.
    } finally {
      this.#channel[Symbol.dispose]();
    }
  }

  async #release(): Promise<void> {
    await this.#channel.sendPdu({ kind: 'releaseRequest' }, RELEASE_MS);
    for (let isEnded = false; !isEnded; ) isEnded = !isMessage(await this.#channel.receive(RELEASE_MS));
  }
}
