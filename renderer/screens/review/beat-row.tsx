// The letters of the beats below the paper: one stop of the Tab key, arrows go from beat to beat, a letter gives the class,
// with Shift to all beats of the same shape, Delete says that there is none.

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BEAT_LABELS, type BeatLabel } from '../../../shared/analysis-result.ts';
import classes from './beat-row.module.css';
import { useMoment } from './moments.ts';

export interface ShownBeat {
  /** In the recording. */
  readonly sample: number;
  readonly label: string;
}

export interface BeatActions {
  onChoose(sample: number): void;
  onLabel(sample: number, label: BeatLabel): void;
  onLabelShape(sample: number, label: BeatLabel): void;
  onRemove(sample: number): void;
}

export interface BeatRowProps extends BeatActions {
  readonly beats: readonly ShownBeat[];
  readonly chosen: number | undefined;
  readonly mayCorrect: boolean;
  /** The place of the page's first sample. */
  readonly startSample: number;
  readonly leftPx: number;
  readonly pxPerSample: number;
}

const isLabel = (key: string): key is BeatLabel => (BEAT_LABELS as readonly string[]).includes(key);

export function BeatRow(props: BeatRowProps): ReactNode {
  const { beats, chosen, mayCorrect, startSample, leftPx, pxPerSample } = props;
  const { t } = useTranslation();
  const moment = useMoment();
  const row = useRef<HTMLDivElement>(null);
  const isFocused = useRef(false);
  const place = beats.findIndex(({ sample }) => sample === chosen);
  // Whoever goes along the beats by keys keeps the focus where the letter changes, or the page does.
  useEffect(() => {
    if (!isFocused.current || place < 0) return;
    row.current?.querySelectorAll('button')[place]?.focus();
  }, [place]);
  const press = (event: KeyboardEvent, sample: number, index: number): void => {
    const label = event.key.toUpperCase();
    const next = { ArrowRight: beats[index + 1], ArrowLeft: beats[index - 1] }[event.key];
    const isBare = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (next !== undefined) props.onChoose(next.sample);
    else if (isBare && isLabel(label)) {
      if (mayCorrect) (event.shiftKey ? props.onLabelShape : props.onLabel)(sample, label);
    } else if (mayCorrect && (event.key === 'Delete' || event.key === 'Backspace')) props.onRemove(sample);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={row}
      className={classes.row}
      role="toolbar"
      aria-label={t('review.beats')}
      onFocus={() => {
        isFocused.current = true;
      }}
      onBlur={() => {
        isFocused.current = false;
      }}
    >
      {beats.map(({ sample, label }, index) => (
        <button
          key={sample}
          type="button"
          className={classes.beat}
          data-label={label}
          aria-pressed={sample === chosen}
          aria-label={t('review.beatAt', { time: moment(sample), label })}
          tabIndex={index === Math.max(0, place) ? 0 : -1}
          style={{ left: leftPx + (sample - startSample) * pxPerSample }}
          onClick={() => props.onChoose(sample)}
          onKeyDown={(event) => press(event, sample, index)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
