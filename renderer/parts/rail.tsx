// The rail: where one can go. It never scrolls, reorders or hides.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../bridge/use-session.ts';
import { Icon, type IconName } from './icon.tsx';
import classes from './rail.module.css';

type Place = IconName & ('patient' | 'live' | 'worklist' | 'review' | 'sync' | 'devices' | 'settings');

const UPPER: readonly Place[] = ['patient', 'live', 'worklist', 'review', 'sync'];
const LOWER: readonly Place[] = ['devices', 'settings'];

function RailLink({ place, isSelected }: { place: Place; isSelected: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <a
      href={`#/${place}`}
      className={`${classes.place} ${isSelected ? classes.selected : ''}`}
      aria-current={isSelected ? 'page' : undefined}
    >
      <Icon name={place} size={22} />
      <span>{t(`rail.${place}`)}</span>
    </a>
  );
}

/** Where there are no accounts yet nothing can be locked: it leads to where they are made. */
function LockButton(): ReactNode {
  const { t } = useTranslation();
  const { hasAccounts, lock } = useSession();
  const press = (): void => {
    if (hasAccounts) void lock();
    else location.hash = '#/settings';
  };
  return (
    <button type="button" className={classes.place} onClick={press}>
      <Icon name="lock" size={22} />
      <span>{t('rail.lock')}</span>
    </button>
  );
}

export function Rail({ selected }: { selected: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <nav className={classes.rail} aria-label={t('rail.label')}>
      <img className={classes.logo} src="./icon.svg" alt={t('app.name')} width={38} height={38} />
      {UPPER.map((place) => (
        <RailLink key={place} place={place} isSelected={place === selected} />
      ))}
      <div className={classes.space} />
      {LOWER.map((place) => (
        <RailLink key={place} place={place} isSelected={place === selected} />
      ))}
      <LockButton />
    </nav>
  );
}
