// The bar at the bottom: what is stored of a recording, and what to do with it (screens, S2). Its places are
// fixed: what is said changes in the line above the buttons, what a button does changes in its place, and
// nothing moves when a recording begins or a device is lost.

import { Button, Menu } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CommandName } from '../../parts/commands.ts';
import { duration } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import classes from './record-bar.module.css';
import { RecordLine, type RecordLineProps } from './record-line.tsx';
import { releaseFocus } from './release-focus.ts';
import { type RecorderControl, SAVED_MS } from './use-recorder.ts';

const DURATIONS_MS = [10_000, 30_000, 60_000, 5 * 60_000, 30 * 60_000, 24 * 3_600_000] as const;

interface RecordBarProps extends RecordLineProps {
  /** What `Save last 10 s` would hold. */
  readonly pastMs: number;
  readonly isFrozen: boolean;
  /** Stops slips of the hand. */
  onClickCapture(event: MouseEvent): void;
  onFreeze(): void;
  onDone(): void;
  onDiscard(taskId: number): void;
}

interface PlaceProps {
  readonly icon: ReactNode;
  readonly label: string;
  readonly command: CommandName;
  readonly variant?: 'default' | 'record' | 'filled';
  readonly color?: 'red';
  readonly isDisabled?: boolean;
  readonly isPressed?: boolean;
  readonly isBusy?: boolean;
  /** The place never does anything else. */
  readonly isMeantAtOnce?: boolean;
  onPress(): void;
}

/** A button in its place; its words may need two lines. */
function Place({
  icon,
  label,
  command,
  variant = 'default',
  color,
  isDisabled,
  isPressed,
  isBusy,
  isMeantAtOnce,
  onPress,
}: PlaceProps): ReactNode {
  return (
    <Button
      className={classes.place}
      variant={variant}
      {...(color !== undefined && { color })}
      {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
      {...(isMeantAtOnce === true && { 'data-meant-at-once': '' })}
      disabled={isDisabled === true}
      loading={isBusy === true}
      onClick={onPress}
    >
      {icon}
      <span className={classes.label}>{label}</span>
      <Key of={command} />
    </Button>
  );
}

/** Begins a recording of the usual length or another one, or ends the one that runs: in the same place. */
function RecordPlace({ control }: { control: RecorderControl }): ReactNode {
  const { t } = useTranslation();
  if (control.isRecording)
    return (
      <Place
        icon={<Icon name="stop" />}
        label={t('devices.stop')}
        command="live.record"
        variant="record"
        isBusy={control.isStopping}
        onPress={() => void control.stop()}
      />
    );
  return (
    <div className={classes.split}>
      <Place
        icon={<i aria-hidden="true" className={classes.dot} />}
        label={t('live.record', { duration: duration(SAVED_MS) })}
        command="live.record"
        variant="record"
        isBusy={control.isBusy}
        onPress={() => void control.record(SAVED_MS)}
      />
      <Menu position="top-end" returnFocus={false} onClose={releaseFocus}>
        <Menu.Target>
          <Button className={classes.more} variant="record" aria-label={t('live.otherLength')}>
            <Icon name="down" size={18} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {DURATIONS_MS.map((ms) => (
            <Menu.Item key={ms} onClick={() => void control.record(ms)}>
              {duration(ms)}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => void control.record(undefined)}>{t('live.untilStopped')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** What can be done with what has just ended. */
function FinishedPlaces({
  control,
  onDone,
  onDiscard,
}: Pick<RecordBarProps, 'control' | 'onDone' | 'onDiscard'>): ReactNode {
  const { t } = useTranslation();
  const { finished } = control;
  if (finished === undefined) return null;
  return (
    <>
      <Place
        icon={<Icon name="delete" />}
        label={t('live.discard')}
        command="live.discard"
        color="red"
        onPress={() => onDiscard(finished.taskId)}
      />
      <Place
        icon={<Icon name="retry" />}
        label={t('live.repeat')}
        command="live.repeat"
        onPress={() => control.dismiss()}
      />
      <Place
        icon={<Icon name="check" />}
        label={t('live.done')}
        command="live.finish"
        variant="filled"
        onPress={onDone}
      />
    </>
  );
}

function LivePlaces({ control, pastMs }: Pick<RecordBarProps, 'control' | 'pastMs'>): ReactNode {
  const { t } = useTranslation();
  const isPastShort = pastMs < SAVED_MS - 50;
  return (
    <>
      <Place
        icon={<Icon name="flag" />}
        label={
          control.isRecording && control.marks > 0
            ? t('live.eventNumber', { count: control.marks })
            : t('live.event')
        }
        command="live.mark"
        isDisabled={!control.isRecording}
        isMeantAtOnce
        onPress={() => void control.mark()}
      />
      <Place
        icon={<Icon name="clock" />}
        label={
          isPastShort ? t('live.saveLastSoon', { seconds: Math.floor(pastMs / 1000) }) : t('devices.saveLast')
        }
        command="live.saveLast"
        isDisabled={isPastShort}
        onPress={() => void control.saveLast()}
      />
      <RecordPlace control={control} />
    </>
  );
}

export function RecordBar(props: RecordBarProps): ReactNode {
  const { t } = useTranslation();
  const { control, isFrozen, onFreeze } = props;
  return (
    <div className={classes.bar} data-testid="record-bar" onClickCapture={props.onClickCapture}>
      <RecordLine device={props.device} control={control} />
      <div className={classes.places}>
        <Place
          icon={<Icon name={isFrozen ? 'live' : 'pause'} />}
          label={t(isFrozen ? 'live.goOn' : 'live.freeze')}
          command="live.freeze"
          isPressed={isFrozen}
          onPress={onFreeze}
        />
        {control.isFinished ? <FinishedPlaces {...props} /> : <LivePlaces {...props} />}
      </div>
    </div>
  );
}
