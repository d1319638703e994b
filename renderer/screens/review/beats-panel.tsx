// The chosen beat and all that look like it: their class, for one or for all (screens, S5).

import { Button } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { BEAT_LABELS, type BeatLabel } from '../../../shared/analysis-result.ts';
import { shareText } from '../../parts/format-number.ts';
import type { BeatActions } from './beat-row.tsx';
import { type BeatShape, shapesOf } from './beat-shapes.ts';
import classes from './dock.module.css';
import { useMoment } from './moments.ts';
import type { Marks } from './use-recording.ts';

export interface BeatsPanelProps extends BeatActions {
  readonly marks: Marks;
  readonly sampleRateHz: number;
  readonly chosen: number | undefined;
  readonly mayCorrect: boolean;
  /** Where a beat can be added: the first line of the calipers. */
  readonly addAt: number | undefined;
  onAdd(sample: number): void;
}

/** One button a class. */
function Classes({
  label,
  value,
  isDisabled,
  onLabel,
}: {
  label: string;
  value: string | undefined;
  isDisabled: boolean;
  onLabel(label: BeatLabel): void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.classes} aria-label={label}>
      {BEAT_LABELS.map((each) => (
        <Button
          key={each}
          variant={each === value ? 'filled' : 'default'}
          h={36}
          px={12}
          disabled={isDisabled}
          aria-pressed={each === value}
          aria-label={t(`review.class.${each}`)}
          title={t(`review.class.${each}`)}
          onClick={() => onLabel(each)}
        >
          {each}
        </Button>
      ))}
    </fieldset>
  );
}

function ShapeRow({
  shape,
  beatCount,
  isChosen,
  onChoose,
}: {
  shape: BeatShape;
  /** How many the recording has. */
  beatCount: number;
  isChosen: boolean;
  onChoose(): void;
}): ReactNode {
  const { t } = useTranslation();
  const moment = useMoment();
  const { samples } = shape;
  const share = shareText(samples.length / beatCount);
  const [first, last] = [moment(samples[0] as number), moment(samples.at(-1) as number)];
  return (
    <li>
      <button type="button" className={classes.shape} aria-pressed={isChosen} onClick={onChoose}>
        <b>{shape.label}</b>
        <span>
          {shape.number === undefined ? t('review.rest') : t('review.family', { number: shape.number })}
        </span>
        <span className="quiet">
          {t('review.beatCount', { count: shape.samples.length })} · {share}
        </span>
        <span className="quiet">{first === last ? first : `${first}–${last}`}</span>
      </button>
    </li>
  );
}

export function BeatsPanel(props: BeatsPanelProps): ReactNode {
  const { marks, sampleRateHz, chosen, mayCorrect, addAt, onAdd } = props;
  const { t } = useTranslation();
  const moment = useMoment();
  const shapes = useMemo(() => shapesOf(marks), [marks]);
  const index = chosen === undefined ? -1 : marks.beatSamples.indexOf(chosen);
  const shape = index < 0 ? undefined : shapes.find(({ id }) => id === marks.beatShapes[index]);
  const before = marks.beatSamples[index - 1];
  const next = (of: BeatShape): void => {
    const later = of.samples.find((sample) => sample > (chosen ?? -1));
    props.onChoose(later ?? (of.samples[0] as number));
  };
  return (
    <div className={classes.split}>
      <ul className={classes.shapes} aria-label={t('review.families')}>
        {shapes.map((each) => (
          <ShapeRow
            key={each.id}
            shape={each}
            beatCount={marks.beatSamples.length}
            isChosen={each === shape}
            onChoose={() => next(each)}
          />
        ))}
      </ul>
      <div className={classes.chosenBeat}>
        {chosen === undefined || index < 0 ? (
          <p className="quiet">{t('review.chooseBeat')}</p>
        ) : (
          <>
            <p>
              <b>{t('review.beatAt', { time: moment(chosen), label: marks.beatLabels[index] })}</b>
              {before !== undefined && (
                <span className="quiet"> RR {Math.round((1000 * (chosen - before)) / sampleRateHz)} ms</span>
              )}
            </p>
            <div className={classes.line}>
              <span>{t('review.thisBeat')}</span>
              <Classes
                label={t('review.thisBeat')}
                value={marks.beatLabels[index]}
                isDisabled={!mayCorrect}
                onLabel={(label) => props.onLabel(chosen, label)}
              />
              <Button
                variant="default"
                h={36}
                disabled={!mayCorrect}
                rightSection={<kbd>Del</kbd>}
                onClick={() => props.onRemove(chosen)}
              >
                {t('review.noBeat')}
              </Button>
            </div>
            {shape?.number !== undefined && shape.samples.length > 1 && (
              <div className={classes.line}>
                <span>{t('review.allOfFamily', { count: shape.samples.length })}</span>
                <Classes
                  label={t('review.allOfFamily', { count: shape.samples.length })}
                  value={undefined}
                  isDisabled={!mayCorrect}
                  onLabel={(label) => props.onLabelShape(chosen, label)}
                />
              </div>
            )}
          </>
        )}
        <Button
          variant="default"
          h={36}
          disabled={!mayCorrect || addAt === undefined}
          title={t('review.addBeatHow')}
          onClick={() => addAt !== undefined && onAdd(addAt)}
        >
          {t('review.addBeat')}
        </Button>
      </div>
    </div>
  );
}
