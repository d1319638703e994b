// The rail: where one can go. It never scrolls, reorders or hides; what this version doesn't have is there
// and says so.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../bridge/use-session.ts';
import { Icon, type IconName } from './icon.tsx';
import classes from './rail.module.css';

interface Place {
  readonly name: IconName & ('patient' | 'live' | 'worklist' | 'review' | 'sync' | 'devices' | 'settings');
  readonly isBuilt: boolean;
}

const UPPER: readonly Place[] = [
  { name: 'patient', isBuilt: true },
  { name: 'live', isBuilt: true },
  { name: 'worklist', isBuilt: true },
  { name: 'review', isBuilt: false },
  { name: 'sync', isBuilt: true },
];
const LOWER: readonly Place[] = [
  { name: 'devices', isBuilt: true },
  { name: 'settings', isBuilt: true },
];

function RailLink({ place, isSelected }: { place: Place; isSelected: boolean }): ReactNode {
  const { t } = useTranslation();
  const name = t(`rail.${place.name}`);
  const content = (
    <>
      <Icon name={place.name} size={22} />
      <span>{name}</span>
    </>
  );
  if (!place.isBuilt) {
    return (
      <button
        type="button"
        className={classes.place}
        aria-disabled="true"
        title={t('rail.notYet', { name })}
        aria-label={t('rail.notYet', { name })}
      >
        {content}
      </button>
    );
  }
  return (
    <a
      href={`#/${place.name}`}
      className={`${classes.place} ${isSelected ? classes.selected : ''}`}
      aria-current={isSelected ? 'page' : undefined}
    >
      {content}
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
        <RailLink key={place.name} place={place} isSelected={place.name === selected} />
      ))}
      <div className={classes.space} />
      {LOWER.map((place) => (
        <RailLink key={place.name} place={place} isSelected={place.name === selected} />
      ))}
      <LockButton />
    </nav>
  );
}
