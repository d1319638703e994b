// Beside the name of everything that no patient was connected to (screens, 1.9).

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './simulated-tag.module.css';

export function SimulatedTag(): ReactNode {
  const { t } = useTranslation();
  return <span className={classes.tag}>{t('devices.simulated')}</span>;
}
