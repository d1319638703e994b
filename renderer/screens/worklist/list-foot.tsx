// Below the worklist: how many there are, and the keys that work now.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { COMMANDS, printedKeyOf } from '../../parts/commands.ts';
import classes from './worklist.module.css';

/** Each with its word on the foot, shorter than in the list behind F1. */
const KEYS = {
  none: [
    [printedKeyOf('everywhere.toPatient'), 'record'],
    [printedKeyOf('worklist.import'), 'import'],
    [printedKeyOf('everywhere.showKeys'), 'keys'],
  ],
  some: [
    [COMMANDS.worklist.row.shown, 'move'],
    [COMMANDS.worklist.report.shown, 'report'],
    [printedKeyOf('worklist.preview'), 'preview'],
    [printedKeyOf('everywhere.showKeys'), 'keys'],
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
