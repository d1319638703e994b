// Work on many files, a few at once: while one waits for the disk, another is hashed.

const AT_ONCE = 4;

/** The first that fails stops all; what had begun by then has ended when this throws. */
export async function severalAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  let hasFailed = false;
  const go = async (): Promise<void> => {
    while (next < items.length && !hasFailed)
      try {
        await work(items[next++] as T);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, go));
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
