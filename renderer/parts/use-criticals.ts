// Critical ECGs that wait for a physician, of real patients, the one that waits longest first (E47).

import type { TaskRow } from '../../shared/bridge/views.ts';
import { useBridgeQuery } from '../bridge/use-bridge.tsx';

const MOST = 200;
const NONE: readonly TaskRow[] = [];

export function useCriticals(isEnabled = true): readonly TaskRow[] {
  const { data } = useBridgeQuery(
    'task.list',
    { states: ['AWAITING_APPROVAL'], lowestSeverity: 'CRITICAL', isRealOnly: true, limit: MOST },
    { isEnabled },
  );
  return isEnabled ? (data?.rows.toReversed() ?? NONE) : NONE;
}
