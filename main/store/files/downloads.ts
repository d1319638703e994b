// Downloads under way: which frozen file each gives out (D48).

import type { Download } from '../../clinic/tasks/records.ts';
import type { DownloadStore } from '../../clinic/tasks/store.ts';
import type { Db } from '../database/database.ts';

export function downloadStore(db: Db): DownloadStore {
  const byId = db.prepare<[string], Download>(
    'SELECT id, organization_id AS organizationId, sha256, total_size_bytes AS totalSizeBytes, used_ms AS usedMs FROM download WHERE id = ?',
  );
  const add = db.prepare(
    'INSERT INTO download (id, organization_id, sha256, total_size_bytes, used_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const touch = db.prepare('UPDATE download SET used_ms = ? WHERE id = ?');
  const expire = db.prepare('DELETE FROM download WHERE used_ms < ?');
  return {
    byId: (id) => byId.get(id),
    add: ({ id, organizationId, sha256, totalSizeBytes, usedMs }) =>
      void add.run(id, organizationId, sha256, totalSizeBytes, usedMs),
    touch: (id, nowMs) => void touch.run(nowMs, id),
    removeUnusedSince: (limitMs) => void expire.run(limitMs),
  };
}
