// Beside the name of everything that no patient was connected to (screens, 1.9).

import { t } from 'i18next';
import type { ReactNode } from 'react';
import classes from './simulated-tag.module.css';

export function SimulatedTag(): ReactNode {
  return <span className={classes.tag}>{t('devices.simulated')}</span>;
}
