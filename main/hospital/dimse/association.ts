// Asks another DICOM program for its services (PS3.8, 7.1; PS3.7, annex D): one association, one request after another.

import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, getCACertificates } from 'node:tls';
import { EXPLICIT_LITTLE_ENDIAN } from '../../formats/dicom/dicom-uids.ts';
import { ChannelError, DicomChannel, isMessage, type Message, OWN_MOST_BYTES } from './channel.ts';
import type { CommandSet } from './command-set.ts';
import type { AnsweredContext, AssociateAccept, ProposedContext } from './pdu.ts';

const CONNECT_MS = 10_000;
const ASSOCIATE_MS = 20_000;
const RELEASE_MS = 3000;
/** Results, sources and reasons of a refusal (PS3.8, table 9-21). */
const PERMANENT = 1;
const BY_USER = 1;
const TITLE_REASONS: readonly number[] = [3, 7];

/** Whom, and as whom. */
export interface DicomPeer {
  readonly host: string;
  readonly port: number;
  /** What it is called. */
  readonly title: string;
  /** What we are called there. */
  readonly ownTitle: string;
  readonly tls?: {
    /** Trusted beside those of the system, PEM. */
    readonly certificates?: readonly string[];
  };
}

/** The peer does not want to talk. `name`: it does not know one of the two titles. */
export class AssociationRefused extends Error {
  readonly why: 'name' | 'service' | 'busy';

  constructor(why: 'name' | 'service' | 'busy') {
    super(`the association was refused: ${why}`);
    this.why = why;
  }
}

const CERTIFICATE_CODES = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/;
const NO_TLS_CODES = /^(ERR_SSL|EPROTO)/;

function faultOf(error: NodeJS.ErrnoException): ChannelError {
  const code = error.code ?? '';
  if (CERTIFICATE_CODES.test(code)) return new ChannelError('certificate', error);
  return new ChannelError(NO_TLS_CODES.test(code) ? 'notTls' : 'offline', error);
}

async function open({ host, port, tls }: DicomPeer, signal: AbortSignal | undefined): Promise<Socket> {
  const socket =
    tls === undefined
      ? connectPlain({ host, port })
      : connectTls({
          host,
          port,
          servername: host,
          ca: [...getCACertificates('default'), ...getCACertificates('system'), ...(tls.certificates ?? [])],
        });
  const giveUp = (): void => void socket.destroy(Object.assign(new Error('given up'), { code: 'ECANCELED' }));
  const timer = setTimeout(giveUp, CONNECT_MS);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(tls === undefined ? 'connect' : 'secureConnect', resolve);
      socket.once('error', (error) => reject(faultOf(error)));
      socket.once('close', () => reject(new ChannelError(tls === undefined ? 'offline' : 'notTls')));
    });
    return socket;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

export class Association implements AsyncDisposable {
  readonly #channel: DicomChannel;
  readonly #contexts: ReadonlyMap<string, number>;
  #nextId = 1;

  private constructor(channel: DicomChannel, contexts: ReadonlyMap<string, number>) {
    this.#channel = channel;
    this.#contexts = contexts;
  }

  /**
   * @param services UIDs of what is asked for
   * @throws ChannelError, AssociationRefused
   */
  static async open(
    peer: DicomPeer,
    services: readonly string[],
    signal?: AbortSignal,
  ): Promise<Association> {
    const channel = new DicomChannel(await open(peer, signal));
    try {
      signal?.addEventListener('abort', () => channel[Symbol.dispose](), { once: true });
      const contexts = services.map(
        (abstractSyntax, i): ProposedContext => ({
          id: 2 * i + 1,
          abstractSyntax,
          transferSyntaxes: [EXPLICIT_LITTLE_ENDIAN],
        }),
      );
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
      const usable = new Map(
        contexts.flatMap(({ id, abstractSyntax }) =>
          accepted.contexts.some((each: AnsweredContext) => each.id === id && each.isAccepted)
            ? [[abstractSyntax, id] as const]
            : [],
        ),
      );
      if (usable.size === 0) throw new AssociationRefused('service');
      return new Association(channel, usable);
    } catch (error) {
      channel[Symbol.dispose]();
      throw error;
    }
  }

  static async #answer(channel: DicomChannel): Promise<AssociateAccept> {
    const answer = await channel.receive(ASSOCIATE_MS);
    if (isMessage(answer)) throw new ChannelError('odd');
    if (answer.kind === 'accept') return answer;
    if (answer.kind !== 'reject') throw new ChannelError(answer.kind === 'abort' ? 'broken' : 'odd');
    const { result, source, reason } = answer;
    throw new AssociationRefused(
      source === BY_USER && TITLE_REASONS.includes(reason)
        ? 'name'
        : result === PERMANENT
          ? 'service'
          : 'busy',
    );
  }

  offers(service: string): boolean {
    return this.#contexts.has(service);
  }

  /**
   * Sends a request. Its answers come by {@link receive}.
   * @throws ChannelError; AssociationRefused `service` where it is not offered
   */
  async send(
    service: string,
    command: Omit<CommandSet, 'messageId' | 'datasetType'>,
    dataset: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined,
    patienceMs: number,
  ): Promise<number> {
    const contextId = this.#contexts.get(service);
    if (contextId === undefined) throw new AssociationRefused('service');
    const messageId = this.#nextId++;
    await this.#channel.sendMessage(contextId, { ...command, messageId }, dataset, patienceMs);
    return messageId;
  }

  /** @throws ChannelError */
  async receive(patienceMs: number): Promise<Message> {
    const received = await this.#channel.receive(patienceMs);
    if (isMessage(received)) return received;
    throw new ChannelError(
      received.kind === 'abort' || received.kind === 'releaseRequest' ? 'broken' : 'odd',
    );
  }

  /** In order, where the other side still answers. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#channel.sendPdu({ kind: 'releaseRequest' }, RELEASE_MS);
      for (;;) {
        const received = await this.#channel.receive(RELEASE_MS);
        if (!isMessage(received)) break;
      }
    } catch {
      // It is gone already.
    } finally {
      this.#channel[Symbol.dispose]();
    }
  }
}
