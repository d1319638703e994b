// The picture of a family: as the analysis drew it, or, where somebody has divided it, drawn again from the beats it has now.

import { useEffect, useMemo, useState } from 'react';
import { MOST_BEATS_PICTURED } from '../../../shared/bridge/contract/day.ts';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { useBridge } from '../../bridge/use-bridge.tsx';
import { useHolter } from './holter.ts';
import type { Picture } from './model/day.ts';
import { pictureOf } from './model/family-order.ts';
import type { DayReading, ReadFamily } from './model/read-day.ts';

export interface DrawnPictures {
  /** 1 for each beat of the smaller half. */
  readonly half: Uint8Array;
  readonly pictures: readonly Picture[];
}

const pictureFrom = ({
  beats,
  density,
  meanUv,
}: CallOutput<'day.pictures'>['pictures'][number]): Picture => ({
  beats,
  density: density.map((bytes) => Uint8Array.from(bytes)),
  meanUv: meanUv.map((bytes) => new Int32Array(Uint8Array.from(bytes).buffer)),
});

/** The same beats are drawn once. */
const drawn = new Map<string, DrawnPictures>();
const MOST_DRAWN = 60;

/** Beats of which more are there than can be drawn are thinned out evenly. */
function shownSamples({ beats: { samples } }: DayReading, beats: ArrayLike<number>): Uint32Array {
  const step = Math.max(1, Math.ceil(beats.length / MOST_BEATS_PICTURED));
  return Uint32Array.from(
    { length: Math.floor(beats.length / step) },
    (_, i) => samples[beats[i * step] as number] as number,
  );
}

/** @param beats indices in order; undefined: nothing is drawn @returns undefined until it is there */
export function useDrawnBeats(
  beats: ArrayLike<number> | undefined,
  isHalved: boolean,
): DrawnPictures | undefined {
  const bridge = useBridge();
  const { task, reading } = useHolter();
  const { pictureLeads, cellMv } = reading.day;
  const { taskId } = task;
  const key =
    beats === undefined || beats.length === 0
      ? undefined
      : `${taskId} ${isHalved} ${beats.length} ${checksumOf(beats)}`;
  const [, setArrived] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which beats they are
  useEffect(() => {
    if (key === undefined || beats === undefined || drawn.has(key) || pictureLeads.length === 0) return;
    const abort = new AbortController();
    const samples = shownSamples(reading, beats);
    bridge
      .call(
        'day.pictures',
        { taskId, leads: [...pictureLeads], samples: new Uint8Array(samples.buffer), cellMv, isHalved },
        abort.signal,
      )
      .then(({ half, pictures }) => {
        const [oldest] = drawn.keys();
        if (drawn.size >= MOST_DRAWN && oldest !== undefined) drawn.delete(oldest);
        drawn.set(key, { half: Uint8Array.from(half), pictures: pictures.map(pictureFrom) });
        setArrived(key);
      })
      .catch((error: unknown) => {
        // Nobody waits for it any more, or there is no picture: the words beside it say the rest.
        if (!(error instanceof IsolineError) && !abort.signal.aborted) throw error;
      });
    return () => abort.abort();
  }, [key]);
  return key === undefined ? undefined : drawn.get(key);
}

/** The largest prime below 2⁴⁶: a product with 127 stays a whole number. */
const CHECKSUM_PRIME = 2 ** 46 - 21;

/** A sum would be the same for beats 1 and 4 as for 2 and 3; this one depends on the place of each. */
function checksumOf(beats: ArrayLike<number>): number {
  let sum = 1;
  for (let i = 0; i < beats.length; i++) sum = (sum * 127 + (beats[i] as number)) % CHECKSUM_PRIME;
  return sum;
}

export function useFamilyPicture(family: ReadFamily): Picture | undefined {
  const { reading } = useHolter();
  const isStored = family.whole !== undefined || family.isRest;
  const stored = useMemo(
    () => (isStored ? pictureOf(reading.day, family) : undefined),
    [isStored, reading.day, family],
  );
  const redrawn = useDrawnBeats(isStored ? undefined : family.beats, false);
  return stored ?? redrawn?.pictures[0];
}
