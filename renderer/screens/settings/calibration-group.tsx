// True millimetres: a bank card, whose size the world has agreed on (ISO/IEC 7810 ID-1), is laid on the
// screen (screens, 2.5).

import { Button } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { localNumber } from '../../parts/size-text.ts';
import { calibrate, useCalibration } from '../../trace/calibration.ts';
import classes from './calibration.module.css';

const CARD_MM = { width: 85.6, height: 53.98 } as const;
const CHECK_MM = 50;
const STEP_MM = 0.1;
/** No display is coarser or finer than 2 to 20 pixels a millimetre. */
const LEAST_PX = CARD_MM.width * 2;
const MOST_PX = CARD_MM.width * 20;

/** The drawn card, whose right edge is moved by pointer or keys. */
function BankCard({ widthPx, onMove }: { widthPx: number; onMove: (byPx: number) => void }): ReactNode {
  const { t } = useTranslation();
  const k = widthPx / CARD_MM.width;
  const press = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 10 * STEP_MM * k : STEP_MM * k;
    if (event.key === 'ArrowRight') onMove(step);
    else if (event.key === 'ArrowLeft') onMove(-step);
    else return;
    event.preventDefault();
  };
  const hold = (event: PointerEvent): void => event.currentTarget.setPointerCapture(event.pointerId);
  const drag = (event: PointerEvent): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(event.movementX);
  };
  return (
    <figure className={classes.holder}>
      <div
        className={classes.bankCard}
        style={{ width: `${widthPx}px`, height: `${CARD_MM.height * k}px` }}
        role="slider"
        tabIndex={0}
        aria-label={t('calibration.width')}
        aria-valuemin={Math.round(LEAST_PX)}
        aria-valuemax={Math.round(MOST_PX)}
        aria-valuenow={Math.round(widthPx)}
        onKeyDown={press}
      >
        <i aria-hidden="true" />
        <span className={classes.handle} onPointerDown={hold} onPointerMove={drag}>
          <Icon name="down" />
        </span>
      </div>
      <figcaption>{t('calibration.card')}</figcaption>
    </figure>
  );
}

interface StepButtonProps {
  readonly icon: IconName;
  readonly label: string;
  onPress(): void;
}

const StepButton = ({ icon, label, onPress }: StepButtonProps): ReactNode => (
  <Button w={48} h={48} p={0} variant="default" aria-label={label} onClick={onPress}>
    <Icon name={icon} />
  </Button>
);

export function CalibrationGroup(): ReactNode {
  const { t } = useTranslation();
  const { pxPerMm, isTrue } = useCalibration();
  const [widthPx, setWidthPx] = useState(CARD_MM.width * pxPerMm);
  const k = widthPx / CARD_MM.width;
  const isKept = isTrue && Math.abs(k - pxPerMm) < 1e-6;
  const move = (byPx: number): void =>
    setWidthPx((before) => Math.min(MOST_PX, Math.max(LEAST_PX, before + byPx)));
  return (
    <>
      <div className={classes.card}>
        <p>{t('calibration.how')}</p>
        <div className={classes.sides}>
          <BankCard widthPx={widthPx} onMove={move} />
          <div className={classes.steps}>
            <StepButton icon="minus" label={t('calibration.smaller')} onPress={() => move(-STEP_MM * k)} />
            <span>
              <b>{localNumber(k * devicePixelRatio, 2)}</b>
              <small>{t('calibration.perMm')}</small>
            </span>
            <StepButton icon="plus" label={t('calibration.larger')} onPress={() => move(STEP_MM * k)} />
            <p>
              <kbd>←</kbd> <kbd>→</kbd> {t('calibration.step')} · <kbd>Shift</kbd>{' '}
              {t('calibration.largeStep')}
            </p>
          </div>
        </div>
      </div>
      <div className={`${classes.card} ${classes.check}`}>
        <div className={classes.line} style={{ width: `${CHECK_MM * k}px` }} data-testid="check-line" />
        <span>
          <b>{t('calibration.check', { length: CHECK_MM })}</b>
          <small role="status">{t(isTrue ? 'calibration.isTrue' : 'calibration.isNot')}</small>
        </span>
        {isTrue && (
          <Button h={48} variant="subtle" onClick={() => calibrate(undefined)}>
            {t('calibration.forget')}
          </Button>
        )}
        <Button
          h={48}
          variant={isKept ? 'light' : 'filled'}
          leftSection={isKept ? <Icon name="check" /> : undefined}
          onClick={() => calibrate(k)}
        >
          {t('calibration.save')}
        </Button>
      </div>
    </>
  );
}
