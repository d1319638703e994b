// Where an episode begins and ends: both ends enlarged, moved beat by beat (Holter, section 5).

import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MovedCode } from '../../../shared/review/corrections.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { useMoment } from '../review/moments.ts';
import classes from './day.module.css';
import { nameOfEpisode } from './episode-words.ts';
import { useHolter } from './holter.ts';
import type { ReadEpisode } from './model/read-episodes.ts';
import { PaperStrip } from './paper-strip.tsx';

const SHOWN_SECONDS = 6.2;
const STRIP_PX = 110;
const LARGE_STEP = 10;
type Side = 'start' | 'end';

export function BorderEditor({
  episode,
  onKept,
  onClose,
}: {
  episode: ReadEpisode;
  /** Where it begins now. */
  onKept(startSample: number): void;
  onClose(): void;
}): ReactNode {
  const { t } = useTranslation();
  const { reading, correct, lead } = useHolter();
  const moment = useMoment();
  const { samples } = reading.beats;
  const [places, setPlaces] = useState({ start: episode.startSample, end: episode.endSample });
  const handles = { start: useRef<HTMLButtonElement>(null), end: useRef<HTMLButtonElement>(null) };
  useEffect(() => handles.start.current?.focus(), [handles.start]);
  const count = Math.round(SHOWN_SECONDS * reading.day.sampleRateHz);
  const move = (side: Side, beats: number): void => {
    const at = firstFrom(samples, places[side]);
    const next = samples[Math.max(0, Math.min(samples.length - 1, at + beats))] as number;
    const moved = { ...places, [side]: next };
    if (moved.start < moved.end) setPlaces(moved);
  };
  const isMoved = places.start !== episode.startSample || places.end !== episode.endSample;
  const keep = (): void => {
    if (isMoved) {
      correct({
        kind: 'episodeMoved',
        code: episode.code as MovedCode,
        startSample: episode.startSample,
        endSample: episode.endSample,
        toStartSample: places.start,
        toEndSample: places.end,
      });
      onKept(places.start);
    }
    onClose();
  };
  const press =
    (side: Side) =>
    (event: KeyboardEvent<HTMLElement>): void => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step !== undefined) move(side, step * (event.shiftKey ? LARGE_STEP : 1));
      else if (event.key === 'Enter') keep();
      else if (event.key === 'Escape') onClose();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  return (
    <section className={classes.borderEditor} aria-label={t('holter.bordersTitle')}>
      <header className={classes.head}>
        <h3>{t('holter.bordersAt', { name: nameOfEpisode(episode), at: moment(episode.startSample) })}</h3>
        <span className="quiet">{t('holter.bordersHow')}</span>
        <Button variant="default" h={36} onClick={onClose}>
          {t('reason.cancel')}
        </Button>
        <Button h={36} onClick={keep} rightSection={<kbd>Enter</kbd>}>
          {t('holter.keepBorders')}
        </Button>
      </header>
      <div className={classes.ends}>
        {(['start', 'end'] as const).map((side) => {
          const from = Math.max(0, places[side] - Math.round(count / 2));
          const inside: readonly [number, number] =
            side === 'start' ? [places.start, from + count] : [from, places.end];
          return (
            <figure key={side}>
              <div className={classes.end}>
                <PaperStrip
                  startSample={from}
                  sampleCount={count}
                  leads={[lead]}
                  heightPx={STRIP_PX}
                  label={t(`holter.border.${side}`, { at: moment(places[side]) })}
                  tinted={[inside]}
                  tint="rhythm"
                  letters="all"
                />
                <button
                  ref={handles[side]}
                  type="button"
                  className={classes.handle}
                  style={{ left: `${(100 * (places[side] - from)) / count}%` }}
                  aria-label={t(`holter.border.${side}`, { at: moment(places[side]) })}
                  onKeyDown={press(side)}
                />
              </div>
              <figcaption>
                {t(`holter.border.${side}`, { at: moment(places[side]) })}
                <span>
                  <button
                    type="button"
                    tabIndex={-1}
                    aria-label={t('holter.beatEarlier')}
                    onClick={() => move(side, -1)}
                  >
                    ←
                  </button>
                  <button
                    type="button"
                    tabIndex={-1}
                    aria-label={t('holter.beatLater')}
                    onClick={() => move(side, 1)}
                  >
                    →
                  </button>
                </span>
              </figcaption>
            </figure>
          );
        })}
      </div>
    </section>
  );
}
