// For faults of this program only, kept in production: what comes from outside is validated, not asserted.

export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${sentence}`);
}
