// Which stream of Lab Streaming Layer is meant, as a path: `lsl:name=…&source=…&from=…`. A stream is known by its name, by
// what its program calls its source, and by its computer, because address and number change when that program starts
// again, and name and source are the same wherever it was copied to.

import { createHash } from 'node:crypto';
import type { LslInfo } from '../drivers/lsl/stream-info.ts';

const SCHEME = 'lsl:';

export interface LslPath {
  readonly name: string;
  /** Undefined where its program names no source. */
  readonly sourceId: string | undefined;
  /** Names one start of its program; only where that names no source. */
  readonly uid: string | undefined;
  /** What its computer calls itself; undefined where the path was typed without it. */
  readonly hostname: string | undefined;
  /** Stands for name, source and computer where these are long. */
  readonly key: string | undefined;
  /** The address that is asked; undefined: all of the network. */
  readonly host: string | undefined;
}

export const isLslPath = (path: string): boolean => path.startsWith(SCHEME);

export function readLslPath(path: string): LslPath {
  const facts = new URLSearchParams(path.slice(SCHEME.length));
  return {
    name: facts.get('name') ?? '',
    sourceId: facts.get('source') ?? undefined,
    uid: facts.get('uid') ?? undefined,
    hostname: facts.get('from') ?? undefined,
    key: facts.get('key') ?? undefined,
    host: facts.get('host') ?? undefined,
  };
}

/** More than this is neither a name of a device nor remembered. */
const MOST_CHARACTERS = 400;

const keyOf = ({ name, sourceId, uid, hostname }: LslInfo): string =>
  createHash('sha256')
    .update(JSON.stringify([name, sourceId === '' ? uid : sourceId, hostname]))
    .digest('hex')
    .slice(0, 32);

export function writeLslPath(stream: LslInfo, host: string | undefined): string {
  const { name, sourceId, uid, hostname } = stream;
  const where = host === undefined ? {} : { host };
  const facts = new URLSearchParams({
    name,
    ...(sourceId === '' ? { uid } : { source: sourceId }),
    ...(hostname !== '' && { from: hostname }),
    ...where,
  }).toString();
  return facts.length <= MOST_CHARACTERS
    ? `${SCHEME}${facts}`
    : `${SCHEME}${new URLSearchParams({ key: keyOf(stream), ...where }).toString()}`;
}

export const isMeant = ({ name, sourceId, uid, hostname, key }: LslPath, stream: LslInfo): boolean =>
  key === undefined
    ? stream.name === name &&
      (sourceId === undefined || stream.sourceId === sourceId) &&
      (uid === undefined || stream.uid === uid) &&
      (hostname === undefined || stream.hostname === hostname)
    : keyOf(stream) === key;
