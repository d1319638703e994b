/**
 * The first index of 0 … count − 1 for which `isBehind` is true, where it is false before and true from there
 * on; else `count`.
 */
export function firstIndex(count: number, isBehind: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBehind(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
