// Sync: the connections of this workstation, what goes there, how far it is, what needs a person (screens, S7).

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionView, SyncItemView } from '../../../shared/bridge/sync-views.ts';
import { SYNC_LISTS, type SyncList } from '../../../shared/sync-state.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { Icon } from '../../parts/icon.tsx';
import { Segments } from '../../parts/segments.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { ConnectionPanel } from './connection-panel.tsx';
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

const countOf = (connection: ConnectionView, list: SyncList): number =>
  ({
    queue: connection.waiting + connection.atCentre + connection.held,
    decide: connection.toDecide,
    done: connection.done,
    stopped: connection.stopped,
    differing: connection.differing,
  })[list];

/** These wait for a person's word, often many for one reason. */
const isOpenQuestion = ({ state }: SyncItemView): boolean =>
  state === 'NEEDS_CHECK' || state === 'REFUSED' || state === 'HELD';

interface QueueProps {
  readonly connection: ConnectionView;
  readonly list: SyncList;
}

function Queue({ connection, list }: QueueProps): ReactNode {
  const { t } = useTranslation();
  const [chosenId, setChosenId] = useState<number | undefined>();
  const { data } = useBridgeQuery(
    'sync.items',
    { connectionId: connection.connectionId, list, limit: MOST_ITEMS },
    { isKeptMeanwhile: true, everyMs: () => LOOK_MS },
  );
  const items = data?.items ?? [];
  const chosen = items.find(({ itemId }) => itemId === chosenId);
  const total = countOf(connection, list);
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
        <ConnectionPanel connection={connection} />
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
function AllSending({ connections }: { connections: readonly ConnectionView[] }): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const now = useCommand('sync.now');
  const pause = useCommand('sync.pause');
  const open = connections.filter(({ stop }) => stop === undefined);
  const trouble = now.trouble ?? pause.trouble;
  if (open.length === 0) return null;
  const each = async (command: typeof now | typeof pause): Promise<void> => {
    for (const { connectionId } of open) await command.run({ connectionId });
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

function Overall({ connections }: { connections: readonly ConnectionView[] }): ReactNode {
  const { t } = useTranslation();
  const states = connections.map(connectionState);
  const open = states.filter((state) => state === 'attention' || state === 'unreached').length;
  const words =
    open === 0 ? 'sync.allWell' : connections.length === 1 ? 'sync.onlyAttention' : 'sync.attention';
  return (
    <p className={classes.overall} role="status">
      {connections.length > 0 && t(words, { count: open, of: connections.length })}
    </p>
  );
}

export function SyncScreen(): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('sync.overview', {}, { everyMs: () => LOOK_MS });
  const [connectionId, setCentreId] = useState<number | undefined>();
  const [chosenTab, setTab] = useState<Tab | undefined>();
  if (data === undefined) return null;
  const { connections } = data;
  const connection = connections.find((each) => each.connectionId === connectionId) ?? connections[0];
  // Where there is a single one, the queue says all that there is to say.
  const usual: Tab =
    connection === undefined || connections.length > 1
      ? 'connections'
      : connection.toDecide > 0
        ? 'decide'
        : 'queue';
  const tab = connection === undefined ? 'connections' : (chosenTab ?? usual);
  // What was shown first stays, whatever becomes usual meanwhile.
  if (connection !== undefined && chosenTab === undefined) setTab(usual);
  // Rare, and shown only where there is one.
  const lists: readonly SyncList[] =
    (connection?.differing ?? 0) > 0 || tab === 'differing' ? [...LISTS, 'differing'] : LISTS;
  return (
    <div className={classes.screen}>
      <div className={classes.head}>
        <h1>{t('sync.title')}</h1>
        {tab === 'connections' || connection === undefined ? (
          <>
            <Overall connections={connections} />
            <AllSending connections={connections} />
          </>
        ) : (
          <>
            {connections.length > 1 && (
              <Segments
                label={t('sync.centres')}
                name="centre"
                value={connection.connectionId}
                segments={connections.map((each) => ({ value: each.connectionId, label: each.label }))}
                onChoose={(id: number) => setCentreId(id)}
              />
            )}
            <ConnectionLine connection={connection} />
          </>
        )}
      </div>
      {connection !== undefined && (
        <div className={classes.tabs} data-wide={tab === 'connections' || undefined}>
          <Segments<Tab>
            label={t('sync.lists')}
            name="sync-list"
            value={tab}
            segments={[
              { value: 'connections', label: t('sync.connections') },
              ...lists.map((value) => ({
                value,
                label: t(`sync.list.${value}`, { count: countOf(connection, value) }),
              })),
            ]}
            onChoose={setTab}
          />
        </div>
      )}
      {tab === 'connections' || connection === undefined ? (
        <Connections
          connections={connections}
          onOpen={(id, list) => {
            setCentreId(id);
            setTab(list);
          }}
        />
      ) : (
        <Queue key={`${connection.connectionId} ${tab}`} connection={connection} list={tab} />
      )}
    </div>
  );
}
