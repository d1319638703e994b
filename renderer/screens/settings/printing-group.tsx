// Whether this computer's printer prints true millimetres.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { keepPrintScale, usePrintScale } from '../../parts/print-scale.ts';
import { PrintScaleWord, PrintTest } from '../../parts/print-test.tsx';
import classes from './settings.module.css';

export function PrintingGroup(): ReactNode {
  const { t } = useTranslation();
  const isMeasured = usePrintScale() !== undefined;
  return (
    <div className={`${classes.card} ${classes.padded}`}>
      <PrintScaleWord />
      <PrintTest />
      {isMeasured && (
        <div className={classes.row}>
          <span className="quiet">{t('printing.another')}</span>
          <Button h={44} variant="default" onClick={() => keepPrintScale(undefined)}>
            {t('printing.forget')}
          </Button>
        </div>
      )}
    </div>
  );
}
