// Orders of the practice system: who is to come today. Choosing one fills the form; who it is has to be
// confirmed all the same (E9).

import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderView, UnreadOrderView } from '../../../shared/bridge/views.ts';
import { zonedTime } from '../../../shared/civil-time.ts';
import { byOrderTime, isMeantOrder } from '../../../shared/entry/order-match.ts';
import type { OrderFacts, OrderTrouble } from '../../../shared/order.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import type { PatientForm } from '../../entry/patient-form.ts';
import { clockTime, letterDay } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { nameOf, patientFacts } from '../../parts/patient-line.tsx';
import { warningSentences } from '../../parts/warning-words.ts';
import { formOfPatient } from './known-patient.ts';
import { Marked } from './marked.tsx';
import classes from './search.module.css';

/** All that it says: other than what is known of a patient from before, it is about the recording to come. */
export const formOfOrder = ({ patient, orderNumber, indications }: OrderFacts): PatientForm => ({
  ...formOfPatient(patient),
  heightCm: patient.heightCm === undefined ? '' : String(patient.heightCm),
  weightKg: patient.weightG === undefined ? '' : String(patient.weightG / 1000),
  investigation: orderNumber ?? '',
  indications,
});

export interface OrdersInSight {
  readonly shown: readonly OrderView[];
  readonly total: number;
  /** The newest ones. */
  readonly unread: readonly UnreadOrderView[];
  readonly unreadTotal: number;
  readonly troubles: readonly OrderTrouble[];
}

const NONE: readonly OrderView[] = [];

const today = (): string => zonedTime(Date.now()).isoDay;

/** `09:30`; of another day, with it. */
const plannedText = ({ day, time = '' }: OrderFacts): string =>
  day === undefined || day === today() ? time : [letterDay(day), time].join(' ').trim();

/** @returns each order once, in the order of the list */
const joined = (first: readonly OrderView[], others: readonly OrderView[]): readonly OrderView[] =>
  [...new Map([...first, ...others].map((order) => [order.orderId, order])).values()].toSorted(
    byOrderTime(today()),
  );

/** @param text what was typed; all of them where that is nothing */
export function useOrders(text: string): OrdersInSight {
  // The page holds them all: whoever types or scans chooses among what the text means now, not among an earlier answer.
  const { data } = useBridgeQuery('order.list', {});
  const first = data?.orders ?? NONE;
  const isMore = (data?.total ?? 0) > first.length && text.trim() !== '';
  const { data: byName } = useBridgeQuery('order.list', { text }, { isEnabled: isMore });
  const all = isMore ? joined(first, byName?.orders ?? NONE) : first;
  return {
    shown: all.filter(({ facts }) => isMeantOrder(facts, text)),
    total: data?.total ?? 0,
    unread: data?.unread ?? [],
    unreadTotal: data?.unreadTotal ?? 0,
    troubles: data?.troubles ?? [],
  };
}

interface OrderRowProps {
  readonly order: OrderView;
  readonly text: string;
  readonly isChosen: boolean;
  onChoose(): void;
}

function OrderRow({ order: { facts, state }, text, isChosen, onChoose }: OrderRowProps): ReactNode {
  const { t } = useTranslation();
  const name = nameOf(facts.patient);
  const about = patientFacts(facts.patient, { isShort: true });
  return (
    <li>
      <button
        type="button"
        className={classes.known}
        data-chosen={isChosen || undefined}
        data-state={state}
        onClick={onChoose}
        tabIndex={-1}
      >
        <span>
          <b>
            <Marked text={name} by={text} />
          </b>
          <small>{about}</small>
          {facts.warnings.length > 0 && (
            <small className={classes.odd}>{warningSentences(facts.warnings).join(' ')}</small>
          )}
        </span>
        <span className={classes.when}>
          <b>{plannedText(facts)}</b>
          <small>{t(`order.state.${state}`)}</small>
        </span>
      </button>
    </li>
  );
}

/** A file that nobody could read is an order that somebody waits for. */
function UnreadFiles({ files, total }: { files: readonly UnreadOrderView[]; total: number }): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { run: putAway } = useCommand('order.putFileAway');
  if (files.length === 0) return null;
  return (
    <div className={classes.unread} role="status">
      <p>
        <Icon name="warning" size={17} />
        <span>{t('order.unread', { count: total })}</span>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'order.hide' : 'order.show')}
        </button>
      </p>
      {isOpen && (
        <ul>
          {files.map(({ fileId, name, readMs, trouble }) => (
            <li key={fileId}>
              <b>{name}</b> <small>{clockTime(readMs).clock.slice(0, 5)}</small>
              <span>{trouble}</span>
              <button type="button" onClick={() => void putAway({ fileId })}>
                {t('order.putAway')}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface OrderListProps {
  readonly orders: OrdersInSight;
  readonly text: string;
  /** By arrows. */
  readonly place: number;
  onChoose(order: OrderView): void;
}

export function OrderList({
  orders: { shown, total, unread, unreadTotal, troubles },
  text,
  place,
  onChoose,
}: OrderListProps): ReactNode {
  const { t } = useTranslation();
  if (total === 0 && unread.length === 0 && troubles.length === 0) return null;
  return (
    <>
      <h2 className={classes.group}>
        {t('order.title')}
        <span>{t('entry.found', { count: total, shown: shown.length })}</span>
      </h2>
      {troubles.map((trouble) => (
        <p key={trouble} className={classes.unread} role="alert">
          <Icon name="warning" size={17} />
          <span>{t(`order.trouble.${trouble}`)}</span>
        </p>
      ))}
      <UnreadFiles files={unread} total={unreadTotal} />
      <ul>
        {shown.map((order, i) => (
          <OrderRow
            key={order.orderId}
            order={order}
            text={text}
            isChosen={i === place}
            onChoose={() => onChoose(order)}
          />
        ))}
      </ul>
    </>
  );
}
