// A day at a glance: its trend, its hours, its episodes and what the patient felt (Holter, section 5).

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Key } from '../../parts/key.tsx';
import { Segments } from '../../parts/segments.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { clockAt, dayAt } from './clock.ts';
import classes from './day.module.css';
import { DayBand } from './day-band.tsx';
import { DrawDialog } from './draw-dialog.tsx';
import { EpisodeList } from './episode-list.tsx';
import { burdenText } from './episode-words.ts';
import { EventDialog } from './event-dialog.tsx';
import { useHolter } from './holter.ts';
import { HourRows, minutesOrHours, minutesText } from './hour-rows.tsx';

const HOURS = [24, 6, 1] as const;
const TABS = ['hours', 'episodes'] as const;

/** What the band above shows in colours, in words. */
function Facts(): ReactNode {
  const { t } = useTranslation();
  const holter = useHolter();
  const { reading, startMs } = holter;
  const { day, fibrillation, pauses, unknown } = reading;
  const seconds = (ranges: readonly (readonly [number, number])[]): number =>
    ranges.reduce((sum, [start, end]) => sum + end - start, 0) / day.sampleRateHz;
  const af = seconds(fibrillation);
  const noise = seconds(unknown);
  return (
    <p className={classes.facts}>
      <b>{minutesOrHours(day.samples / day.sampleRateHz)}</b>
      {startMs !== undefined && (
        <span className="quiet">
          {dayAt(holter, 0)}, {clockAt(holter, 0).slice(0, 5)} – {dayAt(holter, day.samples - 1)},{' '}
          {clockAt(holter, day.samples - 1).slice(0, 5)}
        </span>
      )}
      <span>
        {af > 0
          ? t('holter.afFacts', { time: minutesText(af), share: burdenText(reading) })
          : t(day.isFibrillationAssessed ? 'holter.noAf' : 'holter.afNotAssessed')}
      </span>
      <span>
        {pauses.length === 0 && !day.arePausesAssessed
          ? t('holter.pausesNotAssessed')
          : t('holter.pauseFacts', { count: pauses.length })}
      </span>
      {noise > 0 && <span>{t('holter.noiseFacts', { time: minutesText(noise) })}</span>}
      <span>{t('holter.eventFacts', { count: reading.events.length })}</span>
    </p>
  );
}

export function DayView(): ReactNode {
  const { t } = useTranslation();
  const { reading, at, mayCorrect } = useHolter();
  const [hours, setHours] = useState<(typeof HOURS)[number]>(24);
  const [tab, setTab] = useState<(typeof TABS)[number]>('hours');
  const [dialog, setDialog] = useState<'note' | 'draw'>();
  const { samples, sampleRateHz } = reading.day;
  const length = Math.min(samples, hours * 3600 * sampleRateHz);
  const isWhole = hours === 24 || length === samples;
  const start = isWhole ? 0 : Math.max(0, Math.min(samples - length, at - length / 2));
  const stretch = { start, end: isWhole ? samples : start + length };
  const opens = (which: 'note' | 'draw') => (mayCorrect ? () => setDialog(which) : undefined);
  useCommands('holterDay', { note: opens('note'), draw: opens('draw') });
  const close = (): void => setDialog(undefined);
  return (
    <div className={classes.view}>
      <section className={classes.trend} aria-label={t('holter.trend')}>
        <div className={classes.head}>
          <Facts />
          <Button
            variant="default"
            h={36}
            disabled={!mayCorrect}
            rightSection={<Key of="holterDay.draw" />}
            onClick={opens('draw')}
          >
            {t('holter.drawOpen')}
          </Button>
          <Button
            variant="default"
            h={36}
            disabled={!mayCorrect}
            rightSection={<Key of="holterDay.note" />}
            onClick={opens('note')}
          >
            {t('holter.addEvent')}
          </Button>
          <Segments<(typeof HOURS)[number]>
            label={t('holter.stretch')}
            name="stretch"
            value={hours}
            segments={HOURS.map((value) => ({
              value,
              label: value === 24 ? t('holter.wholeDay') : `${value} h`,
            }))}
            onChoose={setHours}
          />
        </div>
        <DayBand
          stretch={stretch}
          shown={{ start: at - 30 * sampleRateHz, end: at + 30 * sampleRateHz }}
          isTall
        />
      </section>
      <div className={classes.tabs} role="tablist" aria-label={t('holter.view.day')}>
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === tab}
            onClick={() => setTab(each)}
          >
            {t(`holter.${each}Tab`)}
          </button>
        ))}
      </div>
      <div className={classes.columns} data-tab={tab}>
        <HourRows />
        <EpisodeList />
      </div>
      {dialog === 'note' && <EventDialog onClose={close} />}
      {dialog === 'draw' && <DrawDialog onClose={close} />}
    </div>
  );
}
