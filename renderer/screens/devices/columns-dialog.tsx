// Which column of a text device is the ECG: the lines as they come in, each column with a few seconds of it, and the lead that it is.

import { Button, Modal, NativeSelect } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { type LeadCode, leadName } from '../../../shared/signal/lead.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { Icon } from '../../parts/icon.tsx';
import { errorText } from '../../text/text.ts';
import { ChannelPicture } from '../channels/channel-picture.tsx';
import classes from './columns.module.css';

type Column = CallOutput<'desk.columns'>['columns'][number];

const EVERY_MS = 1000;

/** One column is the lead; the others are not used. */
interface Chosen {
  readonly column: number;
  readonly lead: LeadCode;
  readonly isTurned: boolean;
}

function chosenBy(columns: readonly Column[], leadSet: string | undefined): Chosen | undefined {
  for (const [column, { leadSets }] of columns.entries()) {
    const found = leadSets.find(({ id }) => id === leadSet);
    if (found !== undefined) return { column, lead: found.lead, isTurned: found.isTurned };
  }
  return undefined;
}

const leadSetOf = (columns: readonly Column[], { column, lead, isTurned }: Chosen): string | undefined =>
  columns[column]?.leadSets.find((set) => set.lead === lead && set.isTurned === isTurned)?.id;

function Lines({ lines }: Pick<CallOutput<'desk.columns'>, 'lines'>): ReactNode {
  const { t } = useTranslation();
  return (
    <pre className={classes.lines} role="log" aria-label={t('columns.received')} aria-live="off">
      {lines.length === 0 ? t('columns.waiting') : lines.map((fields) => fields.join('  ')).join('\n')}
    </pre>
  );
}

interface RowProps {
  readonly column: Column;
  readonly number: number;
  readonly chosen: Chosen | undefined;
  onChoose(chosen: Chosen | undefined): void;
}

function Why({ column: { isTime, isFlat, beatsPerMinute } }: Pick<RowProps, 'column'>): ReactNode {
  const { t } = useTranslation();
  if (isTime) return t('columns.rises');
  if (isFlat) return t('channels.flat');
  return beatsPerMinute === undefined
    ? t('channels.noBeats')
    : t('channels.beats', { perMinute: beatsPerMinute });
}

function Row({ column, number, chosen, onChoose }: RowProps): ReactNode {
  const { t } = useTranslation();
  const own = chosen?.column === number - 1 ? chosen : undefined;
  const leads = [...new Set(column.leadSets.map(({ lead }) => lead))];
  const isTurned = own?.isTurned === true;
  return (
    <li className={classes.row} data-used={own !== undefined}>
      <span className={classes.number}>
        <b>{t('columns.number', { number })}</b>
        <small>{column.name}</small>
      </span>
      <ChannelPicture channel={{ label: String(number), columns: column.columns }} isTurned={isTurned} />
      {column.isTime ? (
        <span>{t('columns.time')}</span>
      ) : (
        <NativeSelect
          aria-label={t('columns.leadOf', { number })}
          value={own?.lead ?? ''}
          data={[
            { value: '', label: t('columns.notUsed') },
            ...leads.map((lead) => ({ value: lead, label: t('channels.lead', { lead: leadName(lead) }) })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            onChoose(
              value === '' ? undefined : { column: number - 1, lead: value as LeadCode, isTurned: false },
            )
          }
        />
      )}
      <span className="quiet">
        <Why column={column} />
      </span>
      {own !== undefined && (
        <Button
          variant={isTurned ? 'filled' : column.isDownward ? 'default' : 'subtle'}
          h={40}
          px={10}
          aria-pressed={isTurned}
          aria-label={t('columns.turn', { number })}
          leftSection={<Icon name="turnOver" />}
          onClick={() => onChoose({ ...own, isTurned: !isTurned })}
        >
          {t('channels.turn')}
        </Button>
      )}
    </li>
  );
}

export function ColumnsDialog({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { data, error } = useBridgeQuery('desk.columns', { id }, { everyMs: () => EVERY_MS });
  const { run, isRunning, trouble } = useCommand('desk.chooseLeads');
  const [changed, setChanged] = useState<{ readonly chosen: Chosen | undefined }>();
  const columns = data?.columns ?? [];
  const chosen = changed === undefined ? chosenBy(columns, data?.leadSet) : changed.chosen;
  const leadSet = chosen === undefined ? undefined : leadSetOf(columns, chosen);
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (leadSet !== undefined && (await run({ id, leadSet })) !== undefined) onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('columns.title')}
      size={1040}
      classNames={{ title: classes.title ?? '' }}
      centered
      closeButtonProps={{ 'aria-label': t('reason.cancel'), size: 44 }}
    >
      <form onSubmit={(event) => void submit(event)}>
        <p className={classes.text}>{t('columns.text')}</p>
        <Lines lines={data?.lines ?? []} />
        <ul className={classes.rows}>
          {Array.from(columns.entries(), ([place, column]) => (
            <Row
              key={place}
              column={column}
              number={place + 1}
              chosen={chosen}
              onChoose={(next) => setChanged({ chosen: next })}
            />
          ))}
        </ul>
        {(trouble !== undefined || error !== null) && (
          <p role="alert" className={classes.bad}>
            {trouble ?? (error === null ? '' : errorText(error))}
          </p>
        )}
        <div className={classes.foot}>
          <p className={classes.text}>{t(leadSet === undefined ? 'columns.none' : 'columns.foot')}</p>
          <Button variant="default" h={48} onClick={onClose}>
            {t('reason.cancel')}
          </Button>
          <Button
            h={48}
            type="submit"
            data-autofocus
            disabled={leadSet === undefined}
            loading={isRunning}
            leftSection={<Icon name="check" />}
            rightSection={<kbd>Enter</kbd>}
          >
            {chosen === undefined ? t('columns.useNone') : t('columns.use', { lead: leadName(chosen.lead) })}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
