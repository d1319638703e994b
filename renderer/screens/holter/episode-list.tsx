// Episodes of a day, the gravest first, each with a picture: accepted, rejected, or moved (Holter, section 5).

import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MOVED_CODES } from '../../../shared/review/corrections.ts';
import { Icon } from '../../parts/icon.tsx';
import { Segments } from '../../parts/segments.tsx';
import { SeverityShape } from '../../parts/severity-badge.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { useWidth } from '../../parts/use-width.ts';
import { useMoment } from '../review/moments.ts';
import { BorderEditor } from './border-editor.tsx';
import classes from './day.module.css';
import { factsOf, inOrder, lengthOf, NEEDS_EYES, nameOfEpisode, severityOf } from './episode-words.ts';
import { useHolter } from './holter.ts';
import type { ReadEpisode } from './model/read-episodes.ts';
import { Thumb } from './thumb.tsx';
import { type Columns, useRows } from './use-rows.ts';

const THUMB = { seconds: 6, heightPx: 46, leadInSeconds: 1.5 } as const;
/** By how wide the list is. */
const thumbPxIn = (widthPx: number): number => (widthPx >= 680 ? 232 : widthPx >= 560 ? 160 : 0);
/** As many as one question may ask for. */
const SHOWN = 60;
const ALL = 'all';

const keyOf = ({ code, startSample }: ReadEpisode): string => `${code} ${startSample}`;
const placeOf = ({ code, startSample, endSample }: ReadEpisode) => ({ code, startSample, endSample });
const isMovable = (code: string): code is (typeof MOVED_CODES)[number] =>
  (MOVED_CODES as readonly string[]).includes(code);

interface RowProps {
  readonly episode: ReadEpisode;
  readonly columns: Columns | undefined;
  readonly isChosen: boolean;
  /** 0: there is no room for it. */
  readonly thumbPx: number;
  onChoose(): void;
  onAccept(): void;
  onReject(): void;
  onBorders: (() => void) | undefined;
}

function EpisodeRow(props: RowProps): ReactNode {
  const { episode, columns, isChosen, thumbPx, onChoose, onAccept, onReject, onBorders } = props;
  const { t } = useTranslation();
  const { reading, mayCorrect } = useHolter();
  const moment = useMoment();
  const { state } = episode;
  const name = nameOfEpisode(episode);
  const at = moment(episode.startSample);
  return (
    <li
      className={classes.episode}
      data-state={state}
      data-chosen={isChosen || undefined}
      data-episode={keyOf(episode)}
    >
      <button
        type="button"
        className={classes.episodeWords}
        aria-current={isChosen || undefined}
        onClick={({ detail, currentTarget }) => {
          // The keys go on with the list.
          if (detail > 0) currentTarget.blur();
          onChoose();
        }}
      >
        <SeverityShape severity={severityOf(episode)} />
        <span>
          <b>{name}</b>
          <small className="quiet">
            {state === 'rejected' ? t('holter.state.rejected') : factsOf(episode, reading)}
          </small>
        </span>
        <span className={classes.when}>
          <b>{at}</b>
          <small className="quiet">{lengthOf(episode, reading)}</small>
        </span>
        {thumbPx > 0 && (
          <Thumb columns={columns} seconds={THUMB.seconds} widthPx={thumbPx} heightPx={THUMB.heightPx} />
        )}
      </button>
      <span className={classes.judging}>
        <button
          type="button"
          aria-pressed={state === 'accepted'}
          aria-label={t('holter.acceptOne', { name, at })}
          title={t('holter.accept')}
          disabled={!mayCorrect}
          onClick={onAccept}
        >
          <Icon name="check" />
        </button>
        <button
          type="button"
          aria-label={t('holter.bordersOf', { name, at })}
          title={t('holter.borders')}
          disabled={!mayCorrect || onBorders === undefined}
          onClick={onBorders}
        >
          <Icon name="borders" />
        </button>
        <button
          type="button"
          aria-pressed={state === 'rejected'}
          aria-label={t('holter.rejectOne', { name, at })}
          title={t('holter.reject')}
          disabled={!mayCorrect}
          onClick={onReject}
        >
          <Icon name="cross" />
        </button>
      </span>
    </li>
  );
}

/** In the order of the first look; what is new stands last. */
function useSteady(episodes: readonly ReadEpisode[]): ReadEpisode[] {
  const [order] = useState(() => inOrder(episodes).map(keyOf));
  return useMemo(() => {
    const place = (episode: ReadEpisode): number => {
      const at = order.indexOf(keyOf(episode));
      return at < 0 ? order.length : at;
    };
    return inOrder(episodes).sort((a, b) => place(a) - place(b));
  }, [episodes, order]);
}

export function EpisodeList(): ReactNode {
  const { t } = useTranslation();
  const { reading, mayCorrect, correct, goTo, lead } = useHolter();
  const { ref, widthPx } = useWidth<HTMLElement>();
  const [filter, setFilter] = useState<string>(ALL);
  const [chosenKey, setChosenKey] = useState<string>();
  const [isMoving, setMoving] = useState(false);
  const all = useSteady(reading.episodes);
  const episodes = all.filter(({ code }) => filter === ALL || code === filter);
  const shown = episodes.slice(0, SHOWN);
  const kinds = [...new Set(inOrder(reading.episodes).map(({ code }) => code))];
  const { sampleRateHz } = reading.day;
  const spansKey = shown.map(keyOf).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which episodes they are
  const spans = useMemo(
    () =>
      shown.map(({ startSample }) => ({
        startSample: Math.max(0, startSample - Math.round(THUMB.leadInSeconds * sampleRateHz)),
        sampleCount: Math.round(THUMB.seconds * sampleRateHz),
      })),
    [spansKey, sampleRateHz],
  );
  const thumbPx = thumbPxIn(widthPx);
  const rows = useRows(reading.day, thumbPx > 0 ? lead : undefined, spans, thumbPx);
  // Where the chosen one is gone, none is: a key must not judge another than somebody looks at.
  const index = chosenKey === undefined ? 0 : shown.findIndex((episode) => keyOf(episode) === chosenKey);
  const chosen = shown[index];
  const choose = (episode: ReadEpisode): void => {
    setMoving(false);
    setChosenKey(keyOf(episode));
    goTo(episode.startSample);
  };
  const step = (by: number) => (): void => {
    const next = shown[index + (chosenKey === undefined && by > 0 ? 0 : by)];
    if (next === undefined) return;
    choose(next);
    document.querySelector(`[data-episode="${keyOf(next)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const judge = (episode: ReadEpisode, kind: 'episodeAccepted' | 'episodeRejected'): void => {
    if (!mayCorrect) return;
    // The same once more takes a rejection back.
    const isAgain = kind === 'episodeRejected' && episode.state === 'rejected';
    correct({ kind: isAgain ? 'episodeAccepted' : kind, ...placeOf(episode) });
  };
  const judgeChosen = (kind: 'episodeAccepted' | 'episodeRejected') => (): void => {
    if (chosen === undefined) return;
    judge(chosen, kind);
    const next = shown[index + 1];
    if (next !== undefined) {
      choose(next);
      document.querySelector(`[data-episode="${keyOf(next)}"]`)?.scrollIntoView({ block: 'nearest' });
    } else setChosenKey(keyOf(chosen));
  };
  const acceptKind = (): void => {
    if (chosen === undefined || NEEDS_EYES.has(chosen.code)) return;
    for (const episode of reading.episodes)
      if (episode.code === chosen.code && episode.state === 'found') judge(episode, 'episodeAccepted');
  };
  const mayMove = mayCorrect && chosen !== undefined && chosen.state !== 'rejected' && isMovable(chosen.code);
  useCommands('holterDay', {
    episodeUp: isMoving ? undefined : step(-1),
    episodeDown: isMoving ? undefined : step(1),
    accept: isMoving ? undefined : judgeChosen('episodeAccepted'),
    acceptKind: isMoving ? undefined : acceptKind,
    reject: isMoving ? undefined : judgeChosen('episodeRejected'),
    borders: mayMove && !isMoving ? () => setMoving(true) : undefined,
  });
  const checked = reading.episodes.filter(({ state }) => state !== 'found' && state !== 'run').length;
  return (
    <section ref={ref} className={classes.episodes} aria-label={t('holter.episodes')}>
      <div className={classes.head}>
        <h2>{t('holter.episodes')}</h2>
        <span className="quiet">{t('holter.checked', { count: reading.episodes.length, checked })}</span>
        <Segments<string>
          label={t('holter.filter')}
          name="episodes"
          value={filter}
          segments={[
            { value: ALL, label: t('holter.all') },
            ...kinds.map((code) => ({
              value: code as string,
              label: `${t(`holter.short.${code}`)} ${all.filter((each) => each.code === code).length}`,
              spoken: t(`holter.episode.${code}`),
            })),
          ]}
          onChoose={setFilter}
        />
      </div>
      {episodes.length === 0 && <p className="quiet">{t('holter.noEpisodes')}</p>}
      <ul className={classes.list}>
        {shown.map((episode, i) => (
          <EpisodeRow
            key={keyOf(episode)}
            episode={episode}
            columns={rows[i]}
            isChosen={episode === chosen}
            thumbPx={thumbPx}
            onChoose={() => choose(episode)}
            onAccept={() => judge(episode, 'episodeAccepted')}
            onReject={() => judge(episode, 'episodeRejected')}
            onBorders={
              isMovable(episode.code) && episode.state !== 'rejected'
                ? () => {
                    choose(episode);
                    setMoving(true);
                  }
                : undefined
            }
          />
        ))}
      </ul>
      {episodes.length > SHOWN && (
        <p className="quiet">{t('holter.firstOf', { shown: SHOWN, count: episodes.length })}</p>
      )}
      {isMoving && chosen !== undefined && isMovable(chosen.code) && (
        <BorderEditor
          key={keyOf(chosen)}
          episode={chosen}
          onKept={(startSample) => setChosenKey(keyOf({ ...chosen, startSample }))}
          onClose={() => setMoving(false)}
        />
      )}
    </section>
  );
}
