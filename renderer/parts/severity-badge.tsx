// A severity as word, shape and colour: never colour alone (screens, section 1.5).

import { t } from 'i18next';
import type { ReactNode } from 'react';
import type { Severity } from '../../shared/severity.ts';
import classes from './severity-badge.module.css';

const SHAPES: Readonly<Record<Severity, ReactNode>> = {
  NONE: <circle cx="8" cy="8" r="5.500" fill="none" stroke="currentColor" strokeWidth="2" />,
  LOW: <circle cx="8" cy="8" r="6" fill="currentColor" />,
  MODERATE: <path d="M8 1.500 15 14H1z" fill="currentColor" />,
  IMPORTANT: <path d="M8 0.800 15.200 8 8 15.200 0.800 8z" fill="currentColor" />,
  CRITICAL: (
    <path
      d="M5 0.500h6L15.500 5v6L11 15.500H5L0.500 11V5zM7 3.500v5.500h2V3.500zm0 7v2h2v-2z"
      fill="currentColor"
      fillRule="evenodd"
    />
  ),
};

const classOf = (severity: Severity): string => `${classes.badge} ${classes[severity.toLowerCase()]}`;

function Shape({ severity }: { severity: Severity }): ReactNode {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" focusable="false">
      {SHAPES[severity]}
    </svg>
  );
}

/** Beside a statement, which says it in words. */
export function SeverityShape({ severity }: { severity: Severity }): ReactNode {
  return (
    <span
      className={`${classOf(severity)} ${classes.shape}`}
      role="img"
      aria-label={t(`severity.${severity}`)}
      title={t(`severity.${severity}`)}
    >
      <Shape severity={severity} />
    </span>
  );
}

interface BadgeProps {
  readonly severity: Severity;
  /** Where it is said otherwise. */
  readonly word?: string;
}

export function SeverityBadge({ severity, word }: BadgeProps): ReactNode {
  return (
    <span className={classOf(severity)}>
      <Shape severity={severity} />
      {word ?? t(`severity.${severity}`)}
    </span>
  );
}
