// What a long analysis has found so far, as files of a folder: one a walk, and it is replaced as a whole. What cannot be
// kept is found again, so nothing here fails: a full disk, or a file that was cut off, costs time and nothing else.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { ANALYSIS_VERSION } from '../analysis/analyse.ts';
import type { LaidAside, WalkName, Waypoints } from '../analysis/signal/walk.ts';
import type { AnalysisJob } from '../clinic/ports.ts';
import { PRODUCT_VERSION } from '../product/product.ts';

const DIGEST_BYTES = 32;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** What was found holds only for the same files, read in the same way by the same version of the program. */
function ownerOf({ files, channels, startMs, constraints }: AnalysisJob): string {
  const paths = files.map(({ path }) => path);
  return JSON.stringify([
    ANALYSIS_VERSION,
    PRODUCT_VERSION,
    process.version,
    paths,
    channels,
    startMs,
    constraints,
  ]);
}

/** Over all that a file says: one that was cut off, or belongs to another analysis, has another. */
const digestOf = (owner: string, walk: WalkName, content: Uint8Array): Buffer =>
  createHash('sha256').update(`${owner}\n${walk}\n`).update(content).digest();

export function openWaypoints(folder: string, job: AnalysisJob): Waypoints {
  const owner = ownerOf(job);
  let isKept = true;
  return {
    of(walk) {
      let bytes: Buffer;
      try {
        bytes = readFileSync(join(folder, walk));
      } catch {
        return undefined;
      }
      const content = bytes.subarray(DIGEST_BYTES);
      if (!digestOf(owner, walk, content).equals(bytes.subarray(0, DIGEST_BYTES))) return undefined;
      return deserialize(content) as LaidAside;
    },
    layAside(walk, place) {
      if (!isKept) return;
      const content = serialize(place);
      const path = join(folder, walk);
      try {
        mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
        writeFileSync(`${path}.part`, Buffer.concat([digestOf(owner, walk, content), content]), {
          mode: FILE_MODE,
        });
        renameSync(`${path}.part`, path);
      } catch {
        isKept = false;
      }
    },
  };
}
