// Old backups go: the newest stay, and of earlier months the last of each.

import { type BackupFolder, contentOf } from './backup-folder.ts';

const NEWEST = 14;
const MONTHS = 12;

/** @param names the newest first, each beginning with its time */
export function backupsToForget(names: readonly string[]): string[] {
  const kept = new Set(names.slice(0, NEWEST));
  const months = new Set<string>();
  for (const name of names) {
    const month = name.slice(0, 7);
    if (months.has(month) || months.size === MONTHS) continue;
    months.add(month);
    kept.add(name);
  }
  return names.filter((name) => !kept.has(name));
}

/**
 * What is kept must be readable to know what it needs: where a list is damaged, nothing is taken away.
 * @returns how many backups went
 */
export async function pruneBackups(folder: BackupFolder, nowMs: number): Promise<number> {
  const names = await folder.snapshotNames();
  const gone = new Set(backupsToForget(names));
  if (gone.size === 0) return 0;
  const needed = new Set<string>();
  for (const name of names)
    if (!gone.has(name))
      for (const sha256 of contentOf(await folder.snapshot(name)).keys()) needed.add(sha256);
  await folder.forget([...gone], needed, nowMs);
  return gone.size;
}
