// Record now, say later who it was: one key from every screen (screens, 1.9; E14).

import { Button } from '@mantine/core';
import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { isSeatPage } from '../bridge/connect.ts';
import { useCommand } from '../bridge/use-command.ts';
import { useSession } from '../bridge/use-session.ts';
import { useChosenDevice } from '../entry/chosen-device.tsx';
import { useEntry } from '../entry/use-entry.tsx';
import classes from './emergency.module.css';
import { Icon } from './icon.tsx';
import { Key } from './key.tsx';
import { hasSignal as deviceHasSignal, useDesk } from './use-desk.ts';

interface Emergency {
  /** What F9 does. */
  start(): Promise<void>;
  /** Why the last one did not begin: said on whatever screen somebody is by then. */
  readonly trouble: string | undefined;
}

const EmergencyContext = createContext<Emergency | undefined>(undefined);

export function EmergencyProvider({ children }: { children: ReactNode }): ReactNode {
  const { device, devices, hasSignal } = useDesk();
  const { choose } = useChosenDevice();
  const { send, state } = useEntry();
  const record = useCommand('desk.record');
  const { isLocked } = useSession();
  const start = async (): Promise<void> => {
    // The lock screen says where one is recorded.
    if (isSeatPage && isLocked) return;
    location.hash = '#/live';
    // It is being recorded already, for whomever: that recording and its patient stay as they are.
    if (device?.recording !== undefined && !device.recording.isFinishing) return;
    // Whoever was being entered is not who lies there now.
    send({ kind: 'cleared' });
    const person = state.person + 1;
    // The chosen one may just be looked for: an emergency does not wait for it.
    const able = hasSignal ? device : devices?.find(deviceHasSignal);
    if (able === undefined) return;
    if (able.id !== device?.id) choose(able.id);
    const begun = await record.run({ id: able.id });
    if (begun !== undefined)
      send({ kind: 'recorded', person, last: { kind: 'begun', taskId: begun.taskId } });
  };
  return <EmergencyContext value={{ start, trouble: record.trouble }}>{children}</EmergencyContext>;
}

export function useEmergency(): Emergency {
  const emergency = useContext(EmergencyContext);
  if (emergency === undefined) throw new Error('there is no emergency above this part');
  return emergency;
}

export function EmergencyButton(): ReactNode {
  const { t } = useTranslation();
  const { start } = useEmergency();
  return (
    <Button h={56} variant="emergency" className={classes.emergency ?? ''} onClick={() => void start()}>
      <Icon name="flash" />
      {t('entry.emergency')} <Key of="everywhere.emergency" />
    </Button>
  );
}
