// Tests that try many of a kind try a few of them in `npm test`, and all of them in `npm run test:long`.

export const isLongForm = process.env.ISOLINE_TEST_LONG === '1';

/** @returns the first number in `npm test`, the second one in the long form */
export const inLongForm = <T>(short: T, long: T): T => (isLongForm ? long : short);

/** As many as are wanted, spread over all of them with the first and the last; in the long form all. */
export function someOf<T>(all: readonly T[], count: number): readonly T[] {
  if (isLongForm || count >= all.length) return all;
  return Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? all.length - 1 : Math.round((i * (all.length - 1)) / (count - 1));
    return all[at] as T;
  });
}
