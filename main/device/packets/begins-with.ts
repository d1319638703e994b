/** Whether these bytes stand at `at`; bytes beyond the end are no objection. */
export function beginsWith(bytes: Uint8Array, at: number, mark: readonly number[]): boolean {
  for (let i = 0; i < mark.length && at + i < bytes.length; i++) if (bytes[at + i] !== mark[i]) return false;
  return true;
}
