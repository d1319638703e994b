// Who is the patient? Known ones are found while somebody types. Nobody is listed before (screens, S1).

import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, type RefObject, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownPatient, OrderView } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useEntry } from '../../entry/use-entry.tsx';
import { dayOf } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { nameOf, patientFacts } from '../../parts/patient-line.tsx';
import { Marked } from './marked.tsx';
import { OrderList, useOrders } from './order-list.tsx';
import patientClasses from './patient.module.css';
import classes from './search.module.css';

function Row({
  known,
  text,
  isChosen,
  onChoose,
}: {
  known: KnownPatient;
  text: string;
  isChosen: boolean;
  onChoose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const name = nameOf(known.patient);
  const facts = patientFacts(known.patient, { isShort: true });
  return (
    <li>
      <button
        type="button"
        className={classes.known}
        data-chosen={isChosen || undefined}
        onClick={onChoose}
        tabIndex={-1}
      >
        <span>
          <b>
            <Marked text={name} by={text} />
          </b>
          <small>{facts}</small>
        </span>
        <small className={classes.seen}>{t('entry.lastSeen', { day: dayOf(known.seenMs) })}</small>
      </button>
    </li>
  );
}

interface PatientSearchProps {
  readonly search: RefObject<HTMLInputElement | null>;
  readonly text: string;
  onText(text: string): void;
  onChosen(known: KnownPatient): void;
  /** Absent where nobody is to be recorded. */
  readonly onOrder: ((order: OrderView) => void) | undefined;
  onNew(): void;
  /** Enter was pressed before the list came: looks up the patient by what was typed. */
  onLookUp(text: string): void;
  readonly emergency: ReactNode;
}

export function PatientSearch({
  search,
  text,
  onText,
  onChosen,
  onOrder,
  onNew,
  onLookUp,
  emergency,
}: PatientSearchProps): ReactNode {
  const { t } = useTranslation();
  const { dateOrder } = useEntry();
  const asked = useDeferredValue(text.trim());
  const { data, isPlaceholderData } = useBridgeQuery(
    'patient.search',
    { text: asked, dateOrder },
    { isEnabled: asked !== '', isKeptMeanwhile: true },
  );
  const [place, setPlace] = useState(-1);
  const patients = asked === '' ? [] : (data?.patients ?? []);
  const orders = useOrders(asked);
  const ordered = onOrder === undefined ? [] : orders.shown;
  const choose = (at: number): void => {
    const [order, known] = [ordered[at], patients[at - ordered.length]];
    if (order !== undefined) onOrder?.(order);
    else if (known !== undefined) onChosen(known);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setPlace(Math.min(ordered.length + patients.length - 1, place + 1));
    else if (event.key === 'ArrowUp') setPlace(Math.max(-1, place - 1));
    else if (event.key !== 'Enter') return;
    else if (place >= 0) choose(place);
    // Orders are at hand, and stand first: nobody has to wait for those who are known.
    else if (asked !== '' && asked === text.trim() && ordered.length > 0) choose(0);
    // The list still belongs to an earlier text, because a scanner types faster than the list comes.
    else if (asked !== text.trim() || isPlaceholderData || (asked !== '' && data === undefined))
      onLookUp(text.trim());
    // Nothing typed and nothing chosen means nobody.
    else if (asked !== '') choose(0);
    event.preventDefault();
  };
  return (
    <search className={classes.search}>
      <div className={classes.searchHead}>
        <h1>{t('entry.who')}</h1>
        <div className={classes.searchBox}>
          <Icon name="search" />
          <input
            ref={search}
            type="search"
            value={text}
            maxLength={200}
            placeholder={t('entry.searchHint')}
            aria-label={t('entry.searchHint')}
            autoComplete="off"
            spellCheck={false}
            onKeyDown={press}
            onChange={(event) => {
              setPlace(-1);
              onText(event.currentTarget.value);
            }}
          />
        </div>
      </div>
      <div className={classes.results} aria-live="polite">
        {onOrder !== undefined && <OrderList orders={orders} text={asked} place={place} onChoose={onOrder} />}
        {asked === '' ? (
          <p className={patientClasses.hint}>{t('entry.searchEmpty')}</p>
        ) : (
          <>
            <h2 className={classes.group}>
              {t('entry.known')}
              <span>
                {data === undefined ? '' : t('entry.found', { count: data.total, shown: patients.length })}
              </span>
            </h2>
            {data !== undefined && patients.length === 0 && (
              <p className={patientClasses.hint}>{t('entry.nobody', { text: asked })}</p>
            )}
            <ul>
              {patients.map((known, i) => (
                <Row
                  key={known.patientId}
                  known={known}
                  text={asked}
                  isChosen={ordered.length + i === place}
                  onChoose={() => onChosen(known)}
                />
              ))}
            </ul>
          </>
        )}
      </div>
      <div className={classes.searchFoot}>
        <Button h={44} variant="default" onClick={onNew}>
          <Icon name="plus" />
          {t('entry.new')} <Key of="patient.newPatient" />
        </Button>
        {emergency}
      </div>
    </search>
  );
}
