// The rhythms of the recording, and one that a person draws: between the lines of the calipers.

import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DRAWN_CODES, type DrawnCode } from '../../../shared/review/corrections.ts';
import classes from './dock.module.css';
import { useMoment } from './moments.ts';
import type { Marks } from './use-recording.ts';

export interface RhythmPanelProps {
  readonly marks: Marks;
  readonly mayCorrect: boolean;
  /** Between the lines of the calipers, in the recording. */
  readonly between: readonly [start: number, end: number] | undefined;
  onGo(sample: number): void;
  onDraw(startSample: number, endSample: number, code: DrawnCode): void;
}

export function RhythmPanel({ marks, mayCorrect, between, onGo, onDraw }: RhythmPanelProps): ReactNode {
  const { t } = useTranslation();
  const moment = useMoment();
  const [code, setCode] = useState<DrawnCode>('AFIB');
  return (
    <div className={classes.split}>
      <ul className={classes.shapes} aria-label={t('review.rhythms')}>
        {marks.rhythms.map((segment) => (
          <li key={`${segment.startSample} ${segment.code}`}>
            <button type="button" className={classes.shape} onClick={() => onGo(segment.startSample)}>
              <b>{t(`review.rhythm.${segment.code}`, { defaultValue: segment.code })}</b>
              <span className="quiet">
                {moment(segment.startSample)}–{moment(segment.endSample)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div className={classes.chosenBeat}>
        <p className="quiet">
          {between === undefined
            ? t('review.drawHow')
            : t('review.drawBetween', {
                from: moment(between[0]),
                to: moment(between[1]),
              })}
        </p>
        <div className={classes.line}>
          <NativeSelect
            aria-label={t('review.rhythmToDraw')}
            value={code}
            data={DRAWN_CODES.map((value) => ({ value, label: t(`review.rhythm.${value}`) }))}
            onChange={({ currentTarget }) => setCode(currentTarget.value as DrawnCode)}
          />
          <Button
            variant="default"
            h={36}
            disabled={!mayCorrect || between === undefined}
            onClick={() => between !== undefined && onDraw(...between, code)}
          >
            {t('review.draw')}
          </Button>
        </div>
      </div>
    </div>
  );
}
