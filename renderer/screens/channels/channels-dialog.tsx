// Which channels of a file are ECG, and which leads they are: the program proposes, a person checks and corrects. The file is not changed.

import { Button, Checkbox, Modal, NumberInput } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ChannelChoice,
  countUsed,
  faultOfChoice,
  LEAST_ECG_RATE_HZ,
  MOST_CHOSEN_RATE_HZ,
} from '../../../shared/signal/channel-choice.ts';
import { runningTime } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { ChannelRow } from './channel-row.tsx';
import classes from './channels.module.css';
import { atRate, type FileChannels, isUntimed, offeredOf, proposed, withChannel } from './chosen-channels.ts';

export interface ChannelsDialogProps {
  /** The file, or whose recording it is. */
  readonly title: ReactNode;
  readonly file: FileChannels;
  /** What a person said before. */
  readonly choice?: ChannelChoice | undefined;
  /** So many other recordings have the same channels. */
  readonly sameCount: number;
  /** Somebody has corrected its findings. */
  readonly isCorrected?: boolean;
  /** What the button beside says that leaves everything as it is. */
  readonly cancel: string;
  readonly isRunning: boolean;
  readonly trouble: string | undefined;
  onUse(choice: ChannelChoice, isForSame: boolean): void;
  onClose(): void;
}

function Head({ title, file }: Pick<ChannelsDialogProps, 'title' | 'file'>): ReactNode {
  const { t } = useTranslation();
  const { channels } = file;
  const parts = [
    t('channels.count', { count: channels.length }),
    t('channels.named', {
      count: channels.filter(({ lead, isUsed }) => isUsed && lead !== undefined).length,
    }),
  ];
  return (
    <p className={classes.file}>
      {title}
      <span>{parts.join(' · ')}</span>
    </p>
  );
}

/** What is wrong with the choice, or what it comes to. */
function Sum({
  file,
  choice,
  isCorrected,
}: {
  file: FileChannels;
  choice: ChannelChoice;
  isCorrected: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const fault = faultOfChoice(offeredOf(file), choice);
  if (fault === undefined)
    return (
      <p className={classes.sum}>
        {t('channels.sum')} {isCorrected && <b>{t('channels.correctionsGo')}</b>}
      </p>
    );
  return (
    <p className={classes.fault} role="alert">
      {t(`channels.fault.${fault.kind}`, 'name' in fault ? { name: fault.name } : {})}
    </p>
  );
}

/** Some files do not say how many samples a second they have. */
function Rate({
  rateHz,
  onChange,
}: {
  rateHz: number | undefined;
  onChange: (rateHz?: number) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <NumberInput
      className={classes.rate ?? ''}
      size="md"
      w={420}
      hideControls
      min={LEAST_ECG_RATE_HZ}
      max={MOST_CHOSEN_RATE_HZ}
      clampBehavior="none"
      suffix=" Hz"
      label={t('channels.rate')}
      value={rateHz ?? ''}
      data-autofocus
      onChange={(value) =>
        onChange(
          typeof value === 'number' && value >= LEAST_ECG_RATE_HZ && value <= MOST_CHOSEN_RATE_HZ
            ? value
            : undefined,
        )
      }
    />
  );
}

export function ChannelsDialog(props: ChannelsDialogProps): ReactNode {
  const { title, file, sameCount, cancel, isRunning, trouble, onUse, onClose } = props;
  const { t } = useTranslation();
  const [named, setChoice] = useState<ChannelChoice>(() => props.choice ?? proposed(file));
  const hasNoRate = isUntimed(file);
  const [rateHz, setRateHz] = useState(() => props.choice?.find((each) => each.rateHz !== undefined)?.rateHz);
  const choice = hasNoRate ? atRate(named, rateHz) : named;
  const [isForSame, setForSame] = useState(false);
  const used = countUsed(choice);
  const isFit = faultOfChoice(offeredOf(file), choice) === undefined;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (isFit) onUse(choice, isForSame);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('channels.title')}
      size={1080}
      centered
      classNames={{ title: classes.title ?? '' }}
      closeButtonProps={{ 'aria-label': cancel, size: 44 }}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit}>
        <Head title={title} file={file} />
        {hasNoRate && <Rate rateHz={rateHz} onChange={setRateHz} />}
        <div className={classes.heads} aria-hidden="true">
          <span>{t('channels.column.use')}</span>
          <span>{t('channels.column.file')}</span>
          <span>
            {hasNoRate
              ? t('channels.column.rows', {
                  count: Math.round(file.seconds * (file.channels[0]?.rateHz ?? 0)),
                })
              : t('channels.column.picture', {
                  seconds: Math.round(file.seconds),
                  from: runningTime(1000 * file.startSeconds),
                })}
          </span>
          <span>{t('channels.column.lead')}</span>
          <span>{t('channels.column.why')}</span>
        </div>
        <ul className={classes.rows}>
          {Array.from(file.channels.entries(), ([place, channel]) => (
            <ChannelRow
              // Two channels may have one name, and the list never changes its order.
              key={place}
              channel={channel}
              chosen={choice[place] ?? { label: channel.label }}
              rateHz={rateHz}
              onChange={(change) => setChoice(withChannel(named, place, change))}
            />
          ))}
        </ul>
        <Checkbox
          className={classes.same ?? ''}
          size="md"
          label={sameCount === 0 ? t('channels.sameLater') : t('channels.same', { count: sameCount })}
          checked={isForSame}
          onChange={({ currentTarget }) => setForSame(currentTarget.checked)}
        />
        {trouble !== undefined && (
          <p className={classes.fault} role="alert">
            {trouble}
          </p>
        )}
        <div className={classes.foot}>
          <Sum file={file} choice={choice} isCorrected={props.isCorrected === true} />
          <Button variant="default" h={48} onClick={onClose}>
            {cancel}
          </Button>
          <Button
            h={48}
            type="submit"
            data-autofocus={!hasNoRate || undefined}
            disabled={!isFit}
            loading={isRunning}
            leftSection={<Icon name="check" />}
            rightSection={<kbd>Enter</kbd>}
          >
            {t('channels.useThem', { count: used })}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
