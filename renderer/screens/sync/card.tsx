// A connection as a card: the same five things in the same place, so that a look is enough.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../../parts/icon.tsx';
import type { ConnectionState } from './connection-state.ts';
import classes from './connections.module.css';

const NOTE_ICONS: Readonly<Record<ConnectionState, IconName>> = {
  working: 'check',
  attention: 'warning',
  unreached: 'warning',
  paused: 'pause',
  untried: 'clock',
};

interface CardProps {
  readonly icon: IconName;
  readonly title: string;
  readonly subtitle: string;
  readonly state: ConnectionState;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The counts of the last day, by half hours; absent where nothing is counted. */
  readonly bars?: readonly number[];
  readonly note: string;
  /** Buttons, and what came of them. */
  readonly children?: ReactNode;
}

export function Card({ icon, title, subtitle, state, facts, bars, note, children }: CardProps): ReactNode {
  const { t } = useTranslation();
  const total = bars?.reduce((sum, count) => sum + count, 0) ?? 0;
  return (
    <section className={classes.card} aria-label={title} data-state={state}>
      <header>
        <span className={classes.icon}>
          <Icon name={icon} size={20} />
        </span>
        <span className={classes.title}>
          <h2>{title}</h2>
          <small>{subtitle}</small>
        </span>
        <span className={classes.pill}>
          <i aria-hidden="true" />
          {t(`sync.card.state.${state}`)}
        </span>
      </header>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {bars !== undefined && (
        <div className={classes.day}>
          <span>{t('sync.card.day')}</span>
          <span role="img" aria-label={t('sync.card.dayText', { count: total })} className={classes.bars}>
            {bars.map((count, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
              <i key={place} data-some={count > 0 || undefined} />
            ))}
          </span>
        </div>
      )}
      <p className={classes.note} role="status">
        <Icon name={NOTE_ICONS[state]} size={18} />
        <span>{note}</span>
      </p>
      <div className={classes.buttons}>{children}</div>
    </section>
  );
}
