// A test of the way to a centre: whether it is reached, what the token may do, whether streams work there
// (D123).

import type { TestOutcome } from '../../../shared/bridge/sync-views.ts';
import type { CentralClient } from './central-client.ts';
import { NO_STREAM, type Parcel } from './central-requests.ts';

const TEST_TAG = 'isoline:test';

const nothing = (): never => {
  throw new Error('a test sends no signal');
};

/**
 * A task without data is made, found by its device, and asked for its parameters; it stays there, under a tag
 * that says what it is.
 */
async function tryStream(client: CentralClient, deviceId: string): Promise<boolean> {
  const parcel: Parcel = {
    sizeBytes: 0,
    sha256Base64: '',
    task: () => ({ searching_tags: [TEST_TAG] }),
    deviceId,
    stream: NO_STREAM,
    read: nothing,
    frame: nothing,
  };
  const made = await client.perform({ kind: 'createDraft' }, parcel);
  const found = await client.perform({ kind: 'findDraft' }, parcel);
  if (made.kind !== 'done' || found.kind !== 'done' || found.id === undefined || found.id !== made.id)
    return false;
  return (
    (await client.perform({ kind: 'params', centralId: found.id, after: 'start' }, parcel)).kind === 'done'
  );
}

/** @param deviceId used for nothing else, ever */
export async function testCentral(
  client: CentralClient,
  wasStreamProven: boolean,
  deviceId: string,
): Promise<TestOutcome> {
  const startMs = performance.now();
  const rights = await client.rights();
  if (rights === undefined)
    return {
      isReached: false,
      tookMs: performance.now() - startMs,
      ...(client.trouble !== undefined && { trouble: client.trouble }),
    };
  const mayTry = rights.create && rights.stream && !wasStreamProven;
  const isStreamProven = wasStreamProven || (mayTry && (await tryStream(client, deviceId)));
  const isOurs = await client.isOurs();
  return {
    isReached: true,
    tookMs: performance.now() - startMs,
    offers: { ...rights },
    notes: [isStreamProven ? 'streams' : 'files'],
    proven: { isStreamProven, isIdempotent: isOurs },
    isOurs,
    ...(client.clockOffsetMs !== undefined && { clockOffsetMs: client.clockOffsetMs }),
  };
}
