// Amounts of data as people read them.

const KILO = 1000;

export function megabytes(bytes: number): string {
  if (bytes < KILO * KILO) return `${Math.ceil(bytes / KILO)} kB`;
  return `${(bytes / (KILO * KILO)).toFixed(bytes < 10 * KILO * KILO ? 1 : 0)} MB`;
}
