// Sync: what goes to the central service, how far it is, what needs a person (screens, S7).

import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CentreView, SyncItemView } from '../../../shared/bridge/sync-views.ts';
import { SYNC_LISTS, type SyncList } from '../../../shared/sync-state.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useSession } from '../../bridge/use-session.ts';
import { Segments } from '../../parts/segments.tsx';
import { CentreLine } from './centre-line.tsx';
import { CentrePanel } from './centre-panel.tsx';
import { ConnectForm } from './connect-form.tsx';
import { ItemPanel } from './item-panel.tsx';
import { ItemRow } from './item-row.tsx';
import classes from './sync.module.css';

const MOST_ITEMS = 200;
/** What changes by the passing of time: the next try, the age of what waits. */
const LOOK_MS = 5000;
const LISTS = Object.keys(SYNC_LISTS) as (keyof typeof SYNC_LISTS)[];

const countOf = (centre: CentreView, list: SyncList): number =>
  ({
    queue: centre.waiting + centre.atCentre + centre.held,
    decide: centre.toDecide,
    done: centre.done,
    stopped: centre.stopped,
    differing: centre.differing,
  })[list];

/** These wait for a person's word, often many for one reason. */
const isOpenQuestion = ({ state }: SyncItemView): boolean =>
  state === 'NEEDS_CHECK' || state === 'REFUSED' || state === 'HELD';

function Queue({ centre }: { centre: CentreView }): ReactNode {
  const { t } = useTranslation();
  const [list, setList] = useState<SyncList>(centre.toDecide > 0 ? 'decide' : 'queue');
  const [chosenId, setChosenId] = useState<number | undefined>();
  const { data } = useBridgeQuery(
    'sync.items',
    { centreId: centre.centreId, list, limit: MOST_ITEMS },
    { isKeptMeanwhile: true, everyMs: () => LOOK_MS },
  );
  const items = data?.items ?? [];
  const chosen = items.find(({ itemId }) => itemId === chosenId);
  const total = countOf(centre, list);
  // Rare, and shown only where there is one.
  const lists: readonly SyncList[] =
    centre.differing > 0 || list === 'differing' ? [...LISTS, 'differing'] : LISTS;
  return (
    <>
      <div className={classes.tabs}>
        <Segments
          label={t('sync.lists')}
          name="sync-list"
          value={list}
          segments={lists.map((value) => ({
            value,
            label: t(`sync.list.${value}`, { count: countOf(centre, value) }),
          }))}
          onChoose={(next) => {
            setList(next);
            setChosenId(undefined);
          }}
        />
        {total > items.length && (
          <span className="quiet">{t('sync.firstOf', { shown: items.length, count: total })}</span>
        )}
      </div>
      <section className={classes.list} aria-label={t('sync.lists')}>
        {data !== undefined && items.length === 0 && <p className={classes.hint}>{t(`sync.none.${list}`)}</p>}
        <ul>
          {items.map((item) => (
            <ItemRow
              key={item.itemId}
              item={item}
              isChosen={item.itemId === chosenId}
              onChoose={() => setChosenId(item.itemId)}
            />
          ))}
        </ul>
      </section>
      {chosen === undefined ? (
        <CentrePanel centre={centre} />
      ) : (
        <ItemPanel
          key={chosen.itemId}
          item={chosen}
          alike={items.filter(
            ({ state, cause }) => isOpenQuestion(chosen) && state === chosen.state && cause === chosen.cause,
          )}
        />
      )}
    </>
  );
}

export function SyncScreen(): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const { data } = useBridgeQuery('sync.overview', {}, { everyMs: () => LOOK_MS });
  const [centreId, setCentreId] = useState<number | undefined>();
  if (data === undefined) return null;
  const { centres } = data;
  const centre = centres.find((each) => each.centreId === centreId) ?? centres[0];
  if (centre === undefined)
    return (
      <div className={classes.alone}>
        <h1>{t('sync.title')}</h1>
        <p>{t('sync.alone')}</p>
        {may('settings') ? <ConnectForm /> : <p role="status">{t('settings.readOnly')}</p>}
      </div>
    );
  return (
    <div className={classes.screen}>
      <div className={classes.head}>
        <h1>{t('sync.title')}</h1>
        {centres.length > 1 && (
          <Segments
            label={t('sync.centres')}
            name="centre"
            value={centre.centreId}
            segments={centres.map((each) => ({ value: each.centreId, label: each.label }))}
            onChoose={(id: number) => setCentreId(id)}
          />
        )}
        <CentreLine centre={centre} />
      </div>
      <Queue key={centre.centreId} centre={centre} />
    </div>
  );
}
