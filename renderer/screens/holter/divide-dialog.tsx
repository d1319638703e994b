// A family in two halves beside each other, before it is divided (Holter, section 3).

import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BeatLabel } from '../../../shared/analysis-result.ts';
import { MOST_BEATS_PICTURED } from '../../../shared/bridge/contract/day.ts';
import { MOST_BEATS_NAMED } from '../../../shared/review/corrections.ts';
import { groupedNumber } from '../../parts/format-number.ts';
import { DensityPicture } from './density-picture.tsx';
import classes from './families.module.css';
import { useHolter } from './holter.ts';
import type { ReadFamily } from './model/read-day.ts';
import { useDrawnBeats } from './use-family-picture.ts';

export function DivideDialog({ family, onClose }: { family: ReadFamily; onClose(): void }): ReactNode {
  const { t } = useTranslation();
  const { reading, correct } = useHolter();
  // What is shown is what was there when it was opened.
  const [{ beats, label }] = useState(family);
  const isTooMany = beats.length > MOST_BEATS_PICTURED;
  const drawn = useDrawnBeats(isTooMany ? undefined : beats, true);
  const second = drawn === undefined ? [] : [...beats].filter((_, i) => drawn.half[i] === 1);
  const mayDivide = second.length > 0 && second.length <= MOST_BEATS_NAMED;
  const divide = (): void => {
    correct({
      kind: 'familyDivided',
      samples: second.map((beat) => reading.beats.samples[beat] as number),
      label: label as BeatLabel,
    });
    onClose();
  };
  const waiting = drawn === undefined ? t('review.loading') : undefined;
  const none = drawn !== undefined && second.length === 0 ? t('holter.oneShape') : undefined;
  const sentence = isTooMany ? t('holter.tooManyToDivide') : (waiting ?? none);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      centered
      title={t('holter.divideTitle', { family: family.name })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (mayDivide) divide();
        }}
      >
        {sentence !== undefined && <p role="status">{sentence}</p>}
        <div className={classes.halves}>
          {drawn?.pictures.map((picture, i) => (
            <figure key={i === 0 ? 'stays' : 'new'}>
              <DensityPicture
                picture={picture}
                cellMv={reading.day.cellMv}
                widthPx={270}
                heightPx={150}
                isLarge
                label={t(i === 0 ? 'holter.staysIn' : 'holter.newFamily', { family: family.name })}
              />
              <figcaption>
                <b>{groupedNumber(picture.beats)}</b>{' '}
                {t(i === 0 ? 'holter.staysIn' : 'holter.newFamily', { family: family.name })}
              </figcaption>
            </figure>
          ))}
        </div>
        <div className={classes.dialogButtons}>
          <Button variant="default" h={48} onClick={onClose}>
            {t('reason.cancel')}
          </Button>
          <Button h={48} type="submit" disabled={!mayDivide} data-autofocus>
            {t('holter.divide')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
