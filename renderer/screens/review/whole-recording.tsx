// The whole recording below the paper, with what the paper shows of it.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../parts/icon.tsx';
import { Overview } from './overview.tsx';
import classes from './review.module.css';
import type { Marks, RecordingFrame } from './use-recording.ts';

export interface WholeRecordingProps {
  readonly frame: RecordingFrame;
  readonly marks: Marks;
  readonly startSample: number;
  readonly sampleCount: number;
  /** What the paper shows, in words. */
  readonly shown: string;
  onGo(sample: number): void;
}

export function WholeRecording({
  frame,
  marks,
  startSample,
  sampleCount,
  shown,
  onGo,
}: WholeRecordingProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={classes.whole}>
      <p>
        <b>{t('review.whole')}</b>
        <span className="quiet">{shown}</span>
        <Button
          variant="default"
          h={32}
          px={8}
          aria-label={t('review.earlier')}
          disabled={startSample === 0}
          onClick={() => onGo(startSample - sampleCount)}
        >
          <Icon name="back" size={16} />
        </Button>
        <Button
          className={classes.later ?? ''}
          variant="default"
          h={32}
          px={8}
          aria-label={t('review.later')}
          disabled={startSample + sampleCount >= frame.recordedSamples}
          onClick={() => onGo(startSample + sampleCount)}
        >
          <Icon name="back" size={16} />
        </Button>
      </p>
      <Overview frame={frame} marks={marks} startSample={startSample} sampleCount={sampleCount} onGo={onGo} />
    </div>
  );
}
