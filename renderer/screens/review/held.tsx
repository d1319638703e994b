// Who else corrects a reading, and the way to go on with it.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { clockTime } from '../../parts/format-time.ts';
import classes from './review.module.css';

interface HeldProps {
  readonly holder: { readonly name: string; readonly sinceMs: number };
  onTakeOver(): void;
}

export function Held({ holder, onTakeOver }: HeldProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={classes.held} role="status">
      <span>
        {t('review.held', {
          name: holder.name === '' ? t('review.workstation') : holder.name,
          time: clockTime(holder.sinceMs).clock,
        })}
      </span>
      <Button variant="default" h={36} onClick={onTakeOver}>
        {t('review.takeOver')}
      </Button>
    </div>
  );
}
