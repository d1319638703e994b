// One recording on its way: why it is as it is, what happens next, and what a person can do about it.

import { Button, Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SyncItemView } from '../../../shared/bridge/sync-views.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { clockTime, dayOf } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { nameOf, patientFacts } from '../../parts/patient-line.tsx';
import { useNow } from '../../parts/use-now.ts';
import { itemWords, kindWords } from './connection-words.ts';
import { Difference } from './difference.tsx';
import { stateText } from './item-row.tsx';
import classes from './sync.module.css';

const SECOND_MS = 1000;

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
  const nowMs = useNow(SECOND_MS);
  const { knowableFromMs = 0 } = item;
  const isTooEarly = nowMs < knowableFromMs;
  const hintId = useId();
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
      <p className="quiet" id={hintId}>
        {isTooEarly
          ? t('sync.notYet', { time: clockTime(knowableFromMs).clock })
          : t('sync.notThereText', { id: item.taskId })}
      </p>
      <Button
        h={48}
        variant="default"
        disabled={isTooEarly}
        aria-describedby={hintId}
        onClick={() => onAnswer('again')}
      >
        {t('sync.notThere')}
      </Button>
    </form>
  );
}

const AGAIN: Partial<Record<SyncItemView['state'], string>> = {
  HELD: 'sync.sendNow',
  REFUSED: 'sync.sendAgain',
  STOPPED: 'sync.sendAgain',
};
const CAN_STOP: readonly SyncItemView['state'][] = ['HELD', 'READY', 'SENDING', 'NEEDS_CHECK', 'REFUSED'];

/**
 * @param alike items in the same state for the same reason, this one among them: one answer can be for all of
 * them
 */
export function ItemPanel({
  item,
  alike,
}: {
  item: SyncItemView;
  alike: readonly SyncItemView[];
}): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const answer = useCommand('sync.answer');
  const keep = useCommand('sync.keepPatient');
  const { itemId, taskId, state, cause, message, patient, changedMs, hasReport, marker } = item;
  const name = nameOf(patient);
  const facts = patientFacts(patient);
  const isDelivery = item.way === 'delivery';
  const isOurs = cause === 'unsuitable';
  // What an archive has already it keeps once: to send it again harms nobody.
  const again =
    isDelivery && state === 'HELD'
      ? undefined
      : (AGAIN[state] ?? (isDelivery && state === 'NEEDS_CHECK' ? 'sync.sendAgain' : undefined));
  const [isForAll, setForAll] = useState(false);
  const say = (kind: 'there' | 'again' | 'stop', centralId?: string): void =>
    void answer.run({ itemId, answer: kind, ...(centralId !== undefined && { centralId }) });
  const sayOfAll = async (kind: 'again' | 'stop'): Promise<void> => {
    // A number belongs to one recording; anything else may be said of all. The first that is refused is said,
    // and the rest waits; this one comes last, because it takes the panel away with it.
    const others = isForAll ? alike.filter((each) => each.itemId !== itemId) : [];
    for (const each of [...others, item])
      if ((await answer.run({ itemId: each.itemId, answer: kind })) === undefined) return;
  };
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
      <p>{itemWords(t, item)}</p>
      {message !== undefined && message !== '' && (
        <blockquote>
          {isOurs || cause === 'damaged'
            ? t('sync.why', { message })
            : kindWords(t, item.kind, 'said', { message })}
        </blockquote>
      )}
      <p className="quiet">
        {t('sync.changed', { time: `${dayOf(changedMs)}, ${clockTime(changedMs).clock}` })}
      </p>
      {item.sentPatient !== undefined && (
        <Difference itemId={itemId} here={patient} there={item.sentPatient} />
      )}
      {!isDelivery && (state === 'NEEDS_CHECK' || item.centralId !== undefined) && <Marker marker={marker} />}
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      {hasReport && (
        <Button
          fullWidth
          h={48}
          component="a"
          href={`#/central/${taskId}`}
          leftSection={<Icon name="report" />}
        >
          {t('sync.report')}
        </Button>
      )}
      {may('sync') && (
        <div className={classes.actions}>
          {alike.length > 1 && (
            <Checkbox
              size="md"
              label={t('sync.forAll', { count: alike.length })}
              checked={isForAll}
              onChange={(event) => setForAll(event.currentTarget.checked)}
            />
          )}
          {state === 'NEEDS_CHECK' && !isDelivery && (
            <Question
              item={item}
              onAnswer={(kind, id) => (kind === 'there' ? say(kind, id) : void sayOfAll(kind))}
            />
          )}
          {again !== undefined && (
            <Button
              h={48}
              variant={state === 'HELD' ? 'default' : 'filled'}
              onClick={() => void sayOfAll('again')}
            >
              {t(cause === 'noReport' && !isDelivery ? 'sync.askAgain' : again)}
            </Button>
          )}
          {CAN_STOP.includes(state) && (
            <Button h={44} variant="subtle" onClick={() => void sayOfAll('stop')}>
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
