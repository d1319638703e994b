// The strips of the report in its order: exchanged, annotated, put elsewhere or taken out by hand (Holter, section 6).

import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { STRIP_SECONDS, type StripSource, shownOn, stripPlaces } from '../../../shared/long/strips.ts';
import { type ChosenStrip, MOST_STRIPS } from '../../../shared/review/corrections.ts';
import { decimalText } from '../../parts/format-number.ts';
import { Icon } from '../../parts/icon.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { useMoment } from '../review/moments.ts';
import { useHolter } from './holter.ts';
import { PaperStrip } from './paper-strip.tsx';
import classes from './strips.module.css';
import { stripAt, useStrips } from './use-strips.ts';

const STRIP_PX = 116;
const MOST_CHARACTERS = 500;

/** The next or the last of what could stand in its place. */
function exchanged(strip: ChosenStrip, source: StripSource, by: 1 | -1): ChosenStrip {
  const places = stripPlaces(source, strip.kind);
  if (places.length === 0) return strip;
  const at = places.findIndex(({ startSample }) => startSample === strip.startSample);
  const place = places[(Math.max(0, at) + by + places.length) % places.length];
  if (place === undefined) return strip;
  const { note: _note, ...rest } = strip;
  return { ...rest, ...place };
}

interface CardProps {
  readonly strip: ChosenStrip;
  readonly number: number;
  readonly isChosen: boolean;
  onChoose(): void;
}

function StripCard({ strip, number, isChosen, onChoose }: CardProps): ReactNode {
  const { t } = useTranslation();
  const { reading, lead } = useHolter();
  const moment = useMoment();
  const { sampleRateHz } = reading.day;
  const { source } = useStrips();
  const { kind } = shownOn(strip, source.episodes, source.beats, sampleRateHz);
  const pause =
    kind === 'PAUSE'
      ? reading.pauses.find(
          ([from, to]) => from < strip.startSample + STRIP_SECONDS * sampleRateHz && to > strip.startSample,
        )
      : undefined;
  const title = t(`holter.strip.${kind}`);
  return (
    <li className={classes.card} data-chosen={isChosen || undefined} data-strip={number}>
      <button
        type="button"
        aria-current={isChosen || undefined}
        onClick={({ detail, currentTarget }) => {
          if (detail > 0) currentTarget.blur();
          onChoose();
        }}
      >
        <span className={classes.number}>{number}</span>
        <b>{title}</b>
        {strip.isByHand === true && <span className={classes.byHand}>{t('holter.byHand')}</span>}
        <time>{moment(strip.startSample)}</time>
      </button>
      <PaperStrip
        startSample={strip.startSample}
        sampleCount={Math.round(STRIP_SECONDS * sampleRateHz)}
        leads={[lead]}
        heightPx={STRIP_PX}
        label={t('holter.stripOf', { title, at: moment(strip.startSample) })}
        letters="ectopic"
        measured={
          pause && {
            start: pause[0],
            end: pause[1],
            words: `${decimalText((pause[1] - pause[0]) / sampleRateHz, 2)} s`,
          }
        }
      />
      {strip.note !== undefined && <p>{strip.note}</p>}
    </li>
  );
}

/** What the report still lacks. */
function InThisReport({ strips }: { strips: readonly ChosenStrip[] }): ReactNode {
  const { t } = useTranslation();
  const { reading } = useHolter();
  const kinds = new Set(
    reading.episodes.filter(({ state }) => state !== 'rejected').map(({ code }) => code as string),
  );
  const shownKinds = [...kinds].filter((kind) => strips.some((strip) => strip.kind === kind)).length;
  const shownEvents = reading.events.filter(({ sample }) =>
    strips.some(
      ({ startSample }) =>
        sample >= startSample && sample <= startSample + STRIP_SECONDS * reading.day.sampleRateHz,
    ),
  ).length;
  const line = (words: string, shown: number, count: number): ReactNode => (
    <li data-tone={shown < count ? 'warn' : 'ok'}>
      <Icon name={shown < count ? 'warning' : 'check'} size={16} />
      <span>{words}</span>
      <b>{t('holter.shownOf', { shown, count })}</b>
    </li>
  );
  return (
    <div className={classes.report}>
      <h3>{t('holter.inThisReport')}</h3>
      <ul>
        {line(t('holter.kindsWithStrip'), shownKinds, kinds.size)}
        {reading.events.length > 0 && line(t('holter.eventsWithStrip'), shownEvents, reading.events.length)}
      </ul>
    </div>
  );
}

interface DetailProps {
  readonly strip: ChosenStrip;
  readonly number: number;
  readonly mayCorrect: boolean;
  readonly places: number;
  onNote(note: string): void;
  onExchange(by: 1 | -1): void;
  onTakeOut(): void;
}

function StripDetail(props: DetailProps): ReactNode {
  const { strip, number, mayCorrect, places, onNote, onExchange, onTakeOut } = props;
  const { t } = useTranslation();
  const [note, setNote] = useState(strip.note ?? '');
  const keep = (): void => {
    if (note.trim() !== (strip.note ?? '')) onNote(note.trim());
  };
  return (
    <>
      <h2>
        {number} · {t(`holter.strip.${strip.kind}`)}
      </h2>
      <Textarea
        label={t('holter.annotation')}
        value={note}
        maxLength={MOST_CHARACTERS}
        disabled={!mayCorrect}
        data-annotation=""
        autosize
        minRows={2}
        onChange={(event) => setNote(event.currentTarget.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey) return;
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
      <div className={classes.buttons}>
        <Button variant="default" h={40} disabled={!mayCorrect || places < 2} onClick={() => onExchange(-1)}>
          ← {t('holter.before')}
        </Button>
        <Button variant="default" h={40} disabled={!mayCorrect || places < 2} onClick={() => onExchange(1)}>
          {t('holter.next')} →
        </Button>
        <Button variant="default" h={40} disabled={!mayCorrect} onClick={onTakeOut}>
          {t('holter.takeOut')}
        </Button>
      </div>
      <p className="quiet">{t('holter.places', { count: places })}</p>
    </>
  );
}

export function StripsView(): ReactNode {
  const { t } = useTranslation();
  const { reading, at, mayCorrect, correct, goTo } = useHolter();
  const { source, strips, isByProgram } = useStrips();
  const [index, setIndex] = useState(0);
  const shown = Math.min(index, strips.length - 1);
  const chosen = strips[shown];
  const set = (next: readonly ChosenStrip[]): void => {
    if (mayCorrect && next.length <= MOST_STRIPS) correct({ kind: 'strips', strips: [...next] });
  };
  const choose = (next: number): void => {
    const strip = strips[next];
    if (strip === undefined) return;
    setIndex(next);
    goTo(strip.ofSample ?? strip.startSample);
    document.querySelector(`[data-strip="${next + 1}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const change = (to: (strip: ChosenStrip) => ChosenStrip): void => {
    if (chosen !== undefined) set(strips.with(shown, to(chosen)));
  };
  const exchange = (by: 1 | -1) => (): void => change((strip) => exchanged(strip, source, by));
  const move = (by: 1 | -1) => (): void => {
    // What is being typed would be lost with its field.
    if (document.activeElement instanceof HTMLTextAreaElement) return;
    const to = shown + by;
    if (chosen === undefined || to < 0 || to >= strips.length) return;
    set(strips.toSpliced(shown, 1).toSpliced(to, 0, chosen));
    setIndex(to);
  };
  const takeOut = (): void => {
    if (chosen !== undefined) set(strips.toSpliced(shown, 1));
  };
  useCommands('holterStrips', {
    stripUp: () => choose(shown - 1),
    stripDown: () => choose(shown + 1),
    exchange: exchange(1),
    exchangeBack: exchange(-1),
    earlier: move(-1),
    laterStrip: move(1),
    takeOut,
    annotate: () => document.querySelector<HTMLElement>('textarea[data-annotation]')?.focus(),
  });
  return (
    <div className={classes.view}>
      <section className={classes.strips} aria-label={t('holter.view.strips')}>
        <div className={classes.head}>
          <h2>{t('holter.stripCount', { count: strips.length })}</h2>
          <span className="quiet">{t(isByProgram ? 'holter.byProgram' : 'holter.inOrder')}</span>
          <Button
            variant="default"
            h={36}
            leftSection={<Icon name="plus" size={16} />}
            disabled={!mayCorrect || strips.length >= MOST_STRIPS}
            onClick={() => set([...strips, stripAt(reading, at)])}
          >
            {t('holter.addStrip')}
          </Button>
        </div>
        <ol className={classes.cards}>
          {strips.map((strip, i) => (
            <StripCard
              // biome-ignore lint/suspicious/noArrayIndexKey: two strips may show the same
              key={`${i} ${strip.kind} ${strip.startSample}`}
              strip={strip}
              number={i + 1}
              isChosen={i === shown}
              onChoose={() => choose(i)}
            />
          ))}
        </ol>
      </section>
      <aside className={classes.detail} aria-label={t('holter.chosenStrip')}>
        {chosen !== undefined && (
          <StripDetail
            key={`${shown} ${chosen.kind} ${chosen.startSample}`}
            strip={chosen}
            number={shown + 1}
            mayCorrect={mayCorrect}
            places={stripPlaces(source, chosen.kind).length}
            onNote={(note) =>
              change(({ note: _note, ...strip }) => (note === '' ? strip : { ...strip, note }))
            }
            onExchange={(by) => exchange(by)()}
            onTakeOut={takeOut}
          />
        )}
        <InThisReport strips={strips} />
      </aside>
    </div>
  );
}
