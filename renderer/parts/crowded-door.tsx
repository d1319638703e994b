// Says that connections are being turned away, where somebody looks after the port at which they come in.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DoorName } from '../../shared/door-name.ts';
import { useBridgeQuery } from '../bridge/use-bridge.tsx';
import { useSession } from '../bridge/use-session.ts';
import { clockTime } from './format-time.ts';

const LOOK_MS = 5000;

export function CrowdedDoor({ name }: { name: DoorName }): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const { data } = useBridgeQuery('door.crowded', {}, { isEnabled: may('settings'), everyMs: () => LOOK_MS });
  const crowded = data?.doors.find((door) => door.name === name);
  if (crowded === undefined) return null;
  const { count, sinceMs, address } = crowded;
  const since = clockTime(sinceMs).clock.slice(0, 5);
  return <p role="alert">{t('door.crowded', { count, since, address })}</p>;
}
