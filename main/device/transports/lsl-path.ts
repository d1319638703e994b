// Which stream of Lab Streaming Layer is meant, as a path: `lsl:name=…&source=…&from=…`. A stream is known by its name, by
// what its program calls its source, and by its computer, because address and number change when that program starts
// again, and name and source are the same wherever it was copied to.

import type { LslInfo } from '../drivers/lsl/stream-info.ts';

const SCHEME = 'lsl:';

export interface LslPath {
  /** Undefined where it is too long for a path; then its number stands for it. */
  readonly name: string | undefined;
  /** Undefined where its program names no source. */
  readonly sourceId: string | undefined;
  /** Names one start of its program, where nothing else does. */
  readonly uid: string | undefined;
  /** What its computer calls itself; undefined where the path was typed without it. */
  readonly hostname: string | undefined;
  /** The address that is asked; undefined: all of the network. */
  readonly host: string | undefined;
}

export const isLslPath = (path: string): boolean => path.startsWith(SCHEME);

export function readLslPath(path: string): LslPath {
  const facts = new URLSearchParams(path.slice(SCHEME.length));
  return {
    name: facts.get('name') ?? undefined,
    sourceId: facts.get('source') ?? undefined,
    uid: facts.get('uid') ?? undefined,
    hostname: facts.get('from') ?? undefined,
    host: facts.get('host') ?? undefined,
  };
}

/** More than this is neither a name of a device nor remembered. */
const MOST_CHARACTERS = 400;

export function writeLslPath({ name, sourceId, uid, hostname }: LslInfo, host: string | undefined): string {
  const where = host === undefined ? {} : { host };
  const facts = new URLSearchParams({
    name,
    ...(sourceId === '' ? { uid } : { source: sourceId }),
    ...(hostname !== '' && { from: hostname }),
    ...where,
  }).toString();
  return facts.length <= MOST_CHARACTERS
    ? `${SCHEME}${facts}`
    : `${SCHEME}${new URLSearchParams({ uid, ...where }).toString()}`;
}

export const isMeant = ({ name, sourceId, uid, hostname }: LslPath, stream: LslInfo): boolean =>
  (name === undefined || stream.name === name) &&
  (sourceId === undefined || stream.sourceId === sourceId) &&
  (uid === undefined || stream.uid === uid) &&
  (hostname === undefined || stream.hostname === hostname);
