// Below the worklist: how many there are, and the keys that work now.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './worklist.module.css';

const KEYS = {
  none: [
    ['F2', 'record'],
    ['Ctrl O', 'import'],
    ['F1', 'keys'],
  ],
  some: [
    ['↑ ↓', 'move'],
    ['Enter', 'report'],
    ['F8', 'preview'],
    ['F1', 'keys'],
  ],
} as const;

export function ListFoot({ total }: { total: number | undefined }): ReactNode {
  const { t } = useTranslation();
  return (
    <footer className={classes.foot}>
      <span role="status">{total === undefined ? '' : t('worklist.shown', { count: total })}</span>
      <span className={classes.keys}>
        {KEYS[(total ?? 0) > 0 ? 'some' : 'none'].map(([key, what]) => (
          <span key={key} className={what === 'preview' ? classes.drawerKey : ''}>
            <kbd>{key}</kbd> {t(`worklist.keys.${what}`)}
          </span>
        ))}
      </span>
    </footer>
  );
}
