// Nobody is signed in: who is there? An emergency can be recorded, and a running recording be seen and
// stopped, all the same (screens, S14).

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserView } from '../../../shared/bridge/views.ts';
import { isSeatPage } from '../../bridge/connect.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { useLiveFindings } from '../../bridge/use-live-findings.ts';
import { useSession } from '../../bridge/use-session.ts';
import { EmergencyButton } from '../../parts/emergency.tsx';
import { runningTime } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { SecretInput } from '../../parts/secret-input.tsx';
import { useDesk } from '../../parts/use-desk.ts';
import { useCommands } from '../../parts/use-keys.ts';
import { DIAGNOSTIC } from '../../trace/display-filter.ts';
import { LiveField } from '../live/live-field.tsx';
import { useLiveSettings } from '../live/live-settings.ts';
import classes from './lock.module.css';

const DIGITS = ['7', '8', '9', '4', '5', '6', '1', '2', '3'] as const;

function Pad({ onDigit, onBack }: { onDigit: (digit: string) => void; onBack: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={classes.pad}>
      {DIGITS.map((digit) => (
        <button key={digit} type="button" onClick={() => onDigit(digit)}>
          {digit}
        </button>
      ))}
      <button type="button" aria-label={t('lock.back')} onClick={onBack}>
        <Icon name="back" size={22} />
      </button>
      <button type="button" onClick={() => onDigit('0')}>
        0
      </button>
      <button type="submit" aria-label={t('lock.enter')}>
        <Icon name="check" size={24} />
      </button>
    </div>
  );
}

function SecretForm({ user, onDone }: { user: UserView; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const signIn = useCommand('session.signIn');
  const [secret, setSecret] = useState('');
  /** An administrator has set the one that was sent: one of their own is asked for. */
  const [hasToChoose, setHasToChoose] = useState(false);
  if (signIn.reason === 'secret_temporary' && !hasToChoose) setHasToChoose(true);
  const sent = useRef('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!hasToChoose) sent.current = secret;
    const person = await signIn.run({
      userId: user.userId,
      secret: sent.current,
      ...(hasToChoose && { own: secret }),
    });
    setSecret('');
    if (person === undefined) field.current?.focus();
    else onDone();
  };
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      <SecretInput
        ref={field}
        size="lg"
        label={t(hasToChoose ? 'lock.own' : 'lock.secret', { name: user.name })}
        value={secret}
        isNew={hasToChoose}
        error={signIn.trouble}
        onType={setSecret}
      />
      <Pad onDigit={(digit) => setSecret(secret + digit)} onBack={() => setSecret(secret.slice(0, -1))} />
    </form>
  );
}

/** What runs goes on, and can be ended, whoever is there. */
function RunningRecording(): ReactNode {
  const { t } = useTranslation();
  const { device } = useDesk();
  const stop = useCommand('desk.stop');
  const recording = device?.recording;
  const isRunning = recording !== undefined && !recording.isFinishing;
  const end = (): void => void (isRunning && device !== undefined && stop.run({ id: device.id }));
  useCommands('live', { record: end });
  const findings = useLiveFindings(device?.id);
  const [settings] = useLiveSettings();
  if (!isRunning || device === undefined) return null;
  const rate = findings?.heartRateBpm;
  return (
    <div className={classes.watch}>
      <div className={classes.running} role="status">
        <i aria-hidden="true" />
        <b>{runningTime(recording.recordedMs)}</b> {t('devices.recorded')}
        <Button h={56} variant="record" className={classes.stop ?? ''} onClick={end}>
          <Icon name="stop" />
          {t('devices.stop')} <Key of="live.record" />
        </Button>
      </div>
      <p className={classes.rate}>
        <b data-testid="heart-rate">{rate ?? '--'}</b>{' '}
        {rate === undefined
          ? t(`devices.noRate.${findings?.noRateReason ?? 'starting'}`)
          : t('devices.perMinute')}
      </p>
      <div className={classes.trace}>
        <LiveField
          device={device}
          settings={{ ...settings, kind: 'single' }}
          filter={DIAGNOSTIC}
          isFrozen={false}
          lead={Math.min(1, device.leads.length - 1)}
          whose=""
          description={t('live.described', { count: 1, rate: rate ?? '--' })}
        />
      </div>
    </div>
  );
}

/** A tablet lies about: at a seat nothing is recorded or shown before somebody signs in. */
export function LockScreen(): ReactNode {
  const { t } = useTranslation();
  const { users } = useSession();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<UserView | undefined>(users.length === 1 ? users[0] : undefined);
  return (
    <div className={classes.screen}>
      {!isSeatPage && <RunningRecording />}
      <div className={classes.card}>
        <h1>{t('lock.who')}</h1>
        <div className={classes.users}>
          {users.map((user) => (
            <button
              key={user.userId}
              type="button"
              className={classes.user}
              aria-pressed={user.userId === chosen?.userId}
              onClick={() => setChosen(user)}
            >
              <Icon name="person" size={30} />
              <b>{user.name}</b>
              <small>{t(`role.${user.role}`)}</small>
            </button>
          ))}
        </div>
        {chosen !== undefined && (
          <SecretForm key={chosen.userId} user={chosen} onDone={() => void queries.invalidateQueries()} />
        )}
      </div>
      <div className={classes.emergency}>
        {isSeatPage ? <p className={classes.atSeat}>{t('lock.atSeat')}</p> : <EmergencyButton />}
      </div>
    </div>
  );
}
