// Sync: the connections of this workstation, what goes there, how far it is, what needs a person (screens, S7).

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CentreView, SyncItemView } from '../../../shared/bridge/sync-views.ts';
import { SYNC_LISTS, type SyncList } from '../../../shared/sync-state.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { Icon } from '../../parts/icon.tsx';
import { Segments } from '../../parts/segments.tsx';
import { CentreLine } from './centre-line.tsx';
import { CentrePanel } from './centre-panel.tsx';
import { connectionState } from './connection-state.ts';
import { Connections } from './connections.tsx';
import { ItemPanel } from './item-panel.tsx';
import { ItemRow } from './item-row.tsx';
import classes from './sync.module.css';

const MOST_ITEMS = 200;
/** What changes by the passing of time: the next try, the age of what waits. */
const LOOK_MS = 5000;
type Tab = 'connections' | SyncList;
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

interface QueueProps {
  readonly centre: CentreView;
  readonly list: SyncList;
}

function Queue({ centre, list }: QueueProps): ReactNode {
  const { t } = useTranslation();
  const [chosenId, setChosenId] = useState<number | undefined>();
  const { data } = useBridgeQuery(
    'sync.items',
    { centreId: centre.centreId, list, limit: MOST_ITEMS },
    { isKeptMeanwhile: true, everyMs: () => LOOK_MS },
  );
  const items = data?.items ?? [];
  const chosen = items.find(({ itemId }) => itemId === chosenId);
  const total = countOf(centre, list);
  return (
    <>
      <section className={classes.list} aria-label={t('sync.lists')}>
        {data !== undefined && items.length === 0 && <p className={classes.hint}>{t(`sync.none.${list}`)}</p>}
        {total > items.length && items.length > 0 && (
          <p className={classes.hint}>{t('sync.firstOf', { shown: items.length, count: total })}</p>
        )}
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

/** All at once: what is sent now, or nothing for the time being. */
function AllSending({ centres }: { centres: readonly CentreView[] }): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const now = useCommand('sync.now');
  const pause = useCommand('sync.pause');
  const open = centres.filter(({ stop }) => stop === undefined);
  const trouble = now.trouble ?? pause.trouble;
  if (open.length === 0) return null;
  const each = async (command: typeof now | typeof pause): Promise<void> => {
    for (const { centreId } of open) await command.run({ centreId });
  };
  return (
    <>
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      {may('sync') && (
        <Button h={40} variant="default" leftSection={<Icon name="pause" />} onClick={() => void each(pause)}>
          {t('sync.pauseAll')}
        </Button>
      )}
      <Button h={40} leftSection={<Icon name="up" />} loading={now.isRunning} onClick={() => void each(now)}>
        {t('sync.now')}
      </Button>
    </>
  );
}

function Overall({ centres }: { centres: readonly CentreView[] }): ReactNode {
  const { t } = useTranslation();
  const states = centres.map(connectionState);
  const open = states.filter((state) => state === 'attention' || state === 'unreached').length;
  const words = open === 0 ? 'sync.allWell' : centres.length === 1 ? 'sync.onlyAttention' : 'sync.attention';
  return (
    <p className={classes.overall} role="status">
      {centres.length > 0 && t(words, { count: open, of: centres.length })}
    </p>
  );
}

export function SyncScreen(): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('sync.overview', {}, { everyMs: () => LOOK_MS });
  const [centreId, setCentreId] = useState<number | undefined>();
  const [chosenTab, setTab] = useState<Tab | undefined>();
  if (data === undefined) return null;
  const { centres } = data;
  const centre = centres.find((each) => each.centreId === centreId) ?? centres[0];
  // Where there is a single one, the queue says all that there is to say.
  const usual: Tab =
    centre === undefined || centres.length > 1 ? 'connections' : centre.toDecide > 0 ? 'decide' : 'queue';
  const tab = centre === undefined ? 'connections' : (chosenTab ?? usual);
  // What was shown first stays, whatever becomes usual meanwhile.
  if (centre !== undefined && chosenTab === undefined) setTab(usual);
  // Rare, and shown only where there is one.
  const lists: readonly SyncList[] =
    (centre?.differing ?? 0) > 0 || tab === 'differing' ? [...LISTS, 'differing'] : LISTS;
  return (
    <div className={classes.screen}>
      <div className={classes.head}>
        <h1>{t('sync.title')}</h1>
        {tab === 'connections' || centre === undefined ? (
          <>
            <Overall centres={centres} />
            <AllSending centres={centres} />
          </>
        ) : (
          <>
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
          </>
        )}
      </div>
      {centre !== undefined && (
        <div className={classes.tabs} data-wide={tab === 'connections' || undefined}>
          <Segments<Tab>
            label={t('sync.lists')}
            name="sync-list"
            value={tab}
            segments={[
              { value: 'connections', label: t('sync.connections') },
              ...lists.map((value) => ({
                value,
                label: t(`sync.list.${value}`, { count: countOf(centre, value) }),
              })),
            ]}
            onChoose={setTab}
          />
        </div>
      )}
      {tab === 'connections' || centre === undefined ? (
        <Connections
          centres={centres}
          onOpen={(id, list) => {
            setCentreId(id);
            setTab(list);
          }}
        />
      ) : (
        <Queue key={`${centre.centreId} ${tab}`} centre={centre} list={tab} />
      )}
    </div>
  );
}
