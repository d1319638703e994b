// One recording on its way: why it is as it is, what happens next, and what a person can do about it.

import { Button, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SyncItemView } from '../../../shared/bridge/sync-views.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { clockTime, dayOf } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { nameOf, patientFacts } from '../../parts/patient-line.tsx';
import { Difference } from './difference.tsx';
import { stateText } from './item-row.tsx';
import classes from './sync.module.css';

function Marker({ marker }: { marker: string }): ReactNode {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => void navigator.clipboard.writeText(marker).then(() => setCopied(true));
  return (
    <div className={classes.marker}>
      <span className="quiet">{t('sync.marker')}</span>
      <code>{marker}</code>
      <Button h={44} variant="default" onClick={copy}>
        {t(isCopied ? 'sync.copied' : 'sync.copy')}
      </Button>
    </div>
  );
}

/** Whether it is there nobody knows here: somebody looks, and says so. */
function Question({
  item,
  onAnswer,
}: {
  item: SyncItemView;
  onAnswer: (answer: 'there' | 'again', centralId?: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  // In a copy of the data the number is known, and only has to be confirmed.
  const [number, setNumber] = useState(item.centralId ?? '');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onAnswer('there', number.trim());
  };
  return (
    <form className={classes.question} onSubmit={submit}>
      <p>{t('sync.question')}</p>
      <TextInput
        size="md"
        inputMode="numeric"
        label={t('sync.number')}
        value={number}
        maxLength={19}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      <Button type="submit" h={48} disabled={!/^\d{1,19}$/.test(number.trim())}>
        {t('sync.isThere')}
      </Button>
      <Button h={48} variant="default" onClick={() => onAnswer('again')}>
        {t('sync.notThere')}
      </Button>
      <p className="quiet">{t('sync.notThereText', { id: item.taskId })}</p>
    </form>
  );
}

const AGAIN: Partial<Record<SyncItemView['state'], string>> = {
  HELD: 'sync.sendNow',
  REFUSED: 'sync.sendAgain',
  STOPPED: 'sync.sendAgain',
};
const CAN_STOP: readonly SyncItemView['state'][] = ['HELD', 'READY', 'SENDING', 'NEEDS_CHECK', 'REFUSED'];

export function ItemPanel({ item }: { item: SyncItemView }): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const answer = useCommand('sync.answer');
  const keep = useCommand('sync.keepPatient');
  const { itemId, taskId, state, cause, message, patient, changedMs, hasReport, marker } = item;
  const name = nameOf(patient);
  const facts = patientFacts(patient);
  const again = AGAIN[state];
  const say = (kind: 'there' | 'again' | 'stop', centralId?: string): void =>
    void answer.run({ itemId, answer: kind, ...(centralId !== undefined && { centralId }) });
  const isKept = item.isPatientKept;
  const trouble = answer.trouble ?? keep.trouble;
  return (
    <aside className={classes.panel} aria-label={t('sync.panel')}>
      <h2>{name}</h2>
      <p className="quiet">{facts}</p>
      <p>
        <a href={`#/worklist/${taskId}`}>{t('preview.task', { id: taskId })}</a>
      </p>
      <p className={classes.state} data-state={state}>
        <b>{stateText(t, item)}</b>
      </p>
      <p>{cause === undefined ? t(`sync.next.${state}`) : t(`sync.cause.${cause}`)}</p>
      {message !== undefined && message !== '' && <blockquote>{t(cause === 'damaged' ? 'sync.why' : 'sync.said', { message })}</blockquote>}
      <p className="quiet">{t('sync.changed', { time: `${dayOf(changedMs)}, ${clockTime(changedMs).clock}` })}</p>
      {item.sentPatient !== undefined && <Difference itemId={itemId} here={patient} there={item.sentPatient} />}
      {(state === 'NEEDS_CHECK' || item.centralId !== undefined) && <Marker marker={marker} />}
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      {hasReport && (
        <Button fullWidth h={48} component="a" href={`#/central/${taskId}`} leftSection={<Icon name="report" />}>
          {t('sync.report')}
        </Button>
      )}
      {may('sync') && (
        <div className={classes.actions}>
          {state === 'NEEDS_CHECK' && <Question item={item} onAnswer={say} />}
          {again !== undefined && (
            <Button h={48} variant={state === 'HELD' ? 'default' : 'filled'} onClick={() => say('again')}>
              {t(cause === 'noReport' ? 'sync.askAgain' : again)}
            </Button>
          )}
          {CAN_STOP.includes(state) && (
            <Button h={44} variant="subtle" onClick={() => say('stop')}>
              {t('sync.doNotSend')}
            </Button>
          )}
          <Button h={44} variant="subtle" onClick={() => void keep.run({ taskId, isKept: !isKept })}>
            {t(isKept ? 'sync.letPatientGo' : 'sync.keepPatient')}
          </Button>
        </div>
      )}
    </aside>
  );
}
