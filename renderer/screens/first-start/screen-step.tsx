// True millimetres on this screen.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCalibration } from '../../trace/calibration.ts';
import { CalibrationGroup } from '../settings/calibration-group.tsx';
import classes from './first-start.module.css';
import type { StepProps } from './step-props.ts';

export function ScreenStep({ formId, onSubmit }: StepProps): ReactNode {
  const { t } = useTranslation();
  const { isTrue } = useCalibration();
  return (
    <>
      <CalibrationGroup />
      <form id={formId} onSubmit={(event) => onSubmit(event, async () => isTrue)}>
        {!isTrue && <p className={classes.hint}>{t('start.screen.first')}</p>}
      </form>
    </>
  );
}
