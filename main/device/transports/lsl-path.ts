// Which stream of Lab Streaming Layer is meant, as a path: `lsl:name=…&source=…&host=…`. A stream is known by its name
// and by what its program calls its source, because address and number change when that program starts again.

import type { LslInfo } from '../drivers/lsl/stream-info.ts';

const SCHEME = 'lsl:';

export interface LslPath {
  readonly name: string;
  /** Undefined where its program names no source. */
  readonly sourceId: string | undefined;
  /** Names one start of its program; only where that names no source. */
  readonly uid: string | undefined;
  /** The computer that is asked; undefined: all of the network. */
  readonly host: string | undefined;
}

export const isLslPath = (path: string): boolean => path.startsWith(SCHEME);

export function readLslPath(path: string): LslPath {
  const facts = new URLSearchParams(path.slice(SCHEME.length));
  return {
    name: facts.get('name') ?? '',
    sourceId: facts.get('source') ?? undefined,
    uid: facts.get('uid') ?? undefined,
    host: facts.get('host') ?? undefined,
  };
}

export function writeLslPath({ name, sourceId, uid }: LslInfo, host: string | undefined): string {
  const facts = new URLSearchParams({
    name,
    ...(sourceId === '' ? { uid } : { source: sourceId }),
    ...(host !== undefined && { host }),
  });
  return `${SCHEME}${facts.toString()}`;
}

export const isMeant = ({ name, sourceId, uid }: LslPath, stream: LslInfo): boolean =>
  stream.name === name &&
  (sourceId === undefined || stream.sourceId === sourceId) &&
  (uid === undefined || stream.uid === uid);
