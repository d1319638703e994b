// An archive that does as it is told: it takes every object, holds an answer back where a test wants that, and says what it keeps in
// the same connection, in another one, late, or never.

import { createServer, type Server, type Socket } from 'node:net';
import { readCommitment } from '../../main/formats/dicom/commitment.ts';
import { DicomChannel, isMessage, type Message } from '../../main/hospital/dimse/channel.ts';
import { ANSWER, type CommandSet, FIELD } from '../../main/hospital/dimse/command-set.ts';
import { COMMITMENT } from '../../main/hospital/dimse/requests.ts';

const PATIENCE_MS = 60_000;
/** PS3.4, table B.2-1. */
const CANNOT_UNDERSTAND = 0xc000;
/** PS3.4, table K.4-1. */
const PENDING = 0xff00;
const EXPLICIT = '1.2.840.10008.1.2.1';

export interface ArchiveDouble extends AsyncDisposable {
  readonly port: number;
  /** Classes of the objects that it took, in order. */
  readonly stored: readonly string[];
  /** Entries that it answered a question for a worklist with. */
  readonly found: number;
  /** How often it was asked what it keeps. */
  readonly asked: number;
  /** Before an object is answered. */
  onStore: (classUid: string) => Promise<void>;
  /** Classes of objects that it does not know. */
  unknown: readonly string[];
  /** Classes of objects that it knows, and refuses all the same. */
  refused: readonly string[];
}

/** @param reports whether it says what it keeps in the connection in which it was asked */
export async function startArchiveDouble(reports: boolean): Promise<ArchiveDouble> {
  const sockets = new Set<Socket>();
  const state = {
    stored: [] as string[],
    found: 0,
    asked: 0,
    onStore: async (_classUid: string): Promise<void> => undefined,
    unknown: [] as readonly string[],
    refused: [] as readonly string[],
  };

  async function answer(channel: DicomChannel, { contextId, command, dataset }: Message): Promise<void> {
    const { field = 0, messageId = 0, affectedClass = '', affectedInstance } = command;
    const said: CommandSet = {
      field: field + ANSWER,
      answeredId: messageId,
      ...(affectedClass !== '' && { affectedClass }),
      ...(affectedInstance !== undefined && { affectedInstance }),
      status: state.refused.includes(affectedClass) ? CANNOT_UNDERSTAND : 0,
    };
    // A worklist that answers for ever, and does not hear that it is to stop.
    if (field === FIELD.find) {
      for (;;) {
        await channel.sendMessage(contextId, { ...said, status: PENDING }, [new Uint8Array(64)], PATIENCE_MS);
        state.found++;
      }
    }
    if (field === FIELD.store) {
      await state.onStore(affectedClass);
      if (!state.refused.includes(affectedClass)) state.stored.push(affectedClass);
    }
    await channel.sendMessage(contextId, said, undefined, PATIENCE_MS);
    if (field !== FIELD.action || dataset === undefined) return;
    state.asked++;
    if (!reports || readCommitment(dataset, false) === undefined) return;
    // What it was asked for is what it keeps.
    const report: CommandSet = {
      field: FIELD.event,
      messageId: 900,
      affectedClass: COMMITMENT,
      affectedInstance: `${COMMITMENT}.1`,
      eventType: 1,
    };
    await channel.sendMessage(contextId, report, [dataset], PATIENCE_MS);
  }

  async function serve(socket: Socket): Promise<void> {
    sockets.add(socket);
    using channel = new DicomChannel(socket);
    const request = await channel.receive(PATIENCE_MS);
    if (isMessage(request) || request.kind !== 'request') return;
    channel.isOpen = true;
    channel.mostBytes = request.mostBytes;
    await channel.sendPdu(
      {
        kind: 'accept',
        calledTitle: request.calledTitle,
        callingTitle: request.callingTitle,
        mostBytes: 0,
        roles: [],
        contexts: request.contexts.map(({ id, abstractSyntax, transferSyntaxes }) => ({
          id,
          isAccepted: transferSyntaxes.includes(EXPLICIT) && !state.unknown.includes(abstractSyntax),
          transferSyntax: EXPLICIT,
        })),
      },
      PATIENCE_MS,
    );
    for (;;) {
      const received = await channel.receive(PATIENCE_MS);
      if (isMessage(received)) {
        if ((received.command.field ?? 0) < ANSWER) await answer(channel, received);
      } else {
        if (received.kind === 'releaseRequest') await channel.sendPdu({ kind: 'release' }, PATIENCE_MS);
        return;
      }
    }
  }

  const server: Server = createServer((socket) => void serve(socket).catch(() => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return Object.assign(state, {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
