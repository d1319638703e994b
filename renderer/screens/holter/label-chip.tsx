// The class of a beat, or the name of a family: a letter on its colour, never the colour alone.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './parts.module.css';

/** @param label N, S, V, F or Q @param name of a family, where it is one */
export function LabelChip({ label, name }: { label: string; name?: string }): ReactNode {
  const { t } = useTranslation();
  const shown = (name ?? label).replace(/^Q/, '?');
  return (
    <span
      className={classes.chip}
      data-label={label}
      title={t(`review.class.${label}`, { defaultValue: label })}
    >
      {shown}
    </span>
  );
}
