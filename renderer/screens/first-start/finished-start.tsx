// The end of the first start: what is not done yet, and where it goes on.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FirstStep } from '../../../shared/first-start.ts';
import { Icon } from '../../parts/icon.tsx';
import classes from './first-start.module.css';

interface FinishedStartProps {
  readonly later: readonly FirstStep[];
  onChoose(step: FirstStep): void;
  onFinish(): void;
}

export function FinishedStart({ later, onChoose, onFinish }: FinishedStartProps): ReactNode {
  const { t } = useTranslation();
  const go = (place: string) => (): void => {
    onFinish();
    location.hash = `#/${place}`;
  };
  return (
    <>
      <h1>{t('start.end.title')}</h1>
      <p className={classes.intro}>{t(later.length === 0 ? 'start.end.all' : 'start.end.some')}</p>
      {later.length > 0 && (
        <ul className={classes.card}>
          {later.map((step) => (
            <li key={step} className={classes.field}>
              <span className={classes.words}>
                <b>{t(`start.${step}.name`)}</b>
                <small>{t(`start.${step}.without`)}</small>
              </span>
              <Button h={44} variant="default" onClick={() => onChoose(step)}>
                {t('start.end.now')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.ends}>
        <Button h={56} size="lg" leftSection={<Icon name="plus" />} onClick={go('patient')}>
          {t('start.end.record')}
        </Button>
        <Button h={56} size="lg" variant="default" onClick={go('worklist')}>
          {t('start.toWorklist')}
        </Button>
      </div>
    </>
  );
}
