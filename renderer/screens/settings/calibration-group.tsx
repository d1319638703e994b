// True millimetres: a bank card, whose size the world has agreed on (ISO/IEC 7810 ID-1), is laid on the
// screen (screens, 2.5).

import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { calibrate, useCalibration } from '../../trace/calibration.ts';
import classes from './settings.module.css';

const CARD_MM = { width: 85.6, height: 53.98 } as const;
const CHECK_MM = 50;
const STEP_MM = 0.1;
/** No display is coarser or finer than this. */
const PLAUSIBLE_PX_PER_MM = [2, 20] as const;

export function CalibrationGroup(): ReactNode {
  const { t } = useTranslation();
  const { pxPerMm, isTrue } = useCalibration();
  const [widthPx, setWidthPx] = useState(CARD_MM.width * pxPerMm);
  const k = widthPx / CARD_MM.width;
  const change = (byPx: number): void =>
    setWidthPx((before) =>
      Math.min(
        CARD_MM.width * PLAUSIBLE_PX_PER_MM[1],
        Math.max(CARD_MM.width * PLAUSIBLE_PX_PER_MM[0], before + byPx),
      ),
    );
  const press = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 10 * STEP_MM * k : STEP_MM * k;
    if (event.key === 'ArrowRight') change(step);
    else if (event.key === 'ArrowLeft') change(-step);
    else return;
    event.preventDefault();
  };
  return (
    <div className={`${classes.card} ${classes.padded}`}>
      <p>{t('calibration.how')}</p>
      <p role="status" className={classes.note}>
        {t(isTrue ? 'calibration.isTrue' : 'calibration.isNot')}
      </p>
      <div className={classes.cardRow}>
        <div
          className={classes.bankCard}
          style={{ width: `${widthPx}px`, height: `${CARD_MM.height * k}px` }}
          role="slider"
          tabIndex={0}
          aria-label={t('calibration.width')}
          aria-valuemin={Math.round(CARD_MM.width * PLAUSIBLE_PX_PER_MM[0])}
          aria-valuemax={Math.round(CARD_MM.width * PLAUSIBLE_PX_PER_MM[1])}
          aria-valuenow={Math.round(widthPx)}
          onKeyDown={press}
        >
          {t('calibration.card')}
        </div>
      </div>
      <div className={classes.row}>
        <Button h={48} variant="default" onClick={() => change(-STEP_MM * k)}>
          {t('calibration.smaller')}
        </Button>
        <Button h={48} variant="default" onClick={() => change(STEP_MM * k)}>
          {t('calibration.larger')}
        </Button>
        <span className="quiet">
          {t('calibration.density', { density: (k * devicePixelRatio).toFixed(2) })}
        </span>
      </div>
      <p>{t('calibration.check', { length: CHECK_MM })}</p>
      <div className={classes.checkLine} style={{ width: `${CHECK_MM * k}px` }} data-testid="check-line" />
      <div className={classes.row}>
        <Button h={48} onClick={() => calibrate(k)}>
          {t('calibration.save')}
        </Button>
        {isTrue && (
          <Button h={48} variant="default" onClick={() => calibrate(undefined)}>
            {t('calibration.forget')}
          </Button>
        )}
      </div>
    </div>
  );
}
