// Looking for a place among samples that are in order.

/** Index of the first of some samples in order that is not before a place. */
export function firstFrom(samples: ArrayLike<number>, place: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((samples[middle] as number) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
