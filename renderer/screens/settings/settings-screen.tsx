// Settings: one column of groups, each thing with what it does (screens, S9). What this version does not have
// is not shown.

import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../bridge/use-session.ts';
import { CalibrationGroup } from './calibration-group.tsx';
import { ChoiceGroup } from './choice-group.tsx';
import { MergesGroup } from './merges-group.tsx';
import { OrdersGroup } from './orders-group.tsx';
import classes from './settings.module.css';
import { SHOWN_SETTINGS } from './shown-settings.ts';
import { TokensGroup } from './tokens-group.tsx';
import { UsersGroup } from './users-group.tsx';

const GROUPS = [
  'screen',
  'recording',
  'report',
  'orders',
  'storage',
  'service',
  'sync',
  'patients',
  'users',
  'tokens',
] as const;
type Group = (typeof GROUPS)[number];

function Content({ group }: { group: Group }): ReactNode {
  switch (group) {
    case 'screen':
      return <CalibrationGroup />;
    case 'orders':
      return <OrdersGroup />;
    case 'patients':
      return <MergesGroup />;
    case 'users':
      return <UsersGroup />;
    case 'tokens':
      return <TokensGroup />;
    default:
      return <ChoiceGroup settings={SHOWN_SETTINGS[group]} />;
  }
}

export function SettingsScreen(): ReactNode {
  const { t } = useTranslation();
  const { may, hasAccounts } = useSession();
  const [group, setGroup] = useState<Group>('screen');
  const isReadOnly = !may('settings') && group !== 'screen';
  return (
    <div className={classes.screen}>
      <nav className={classes.groups} aria-label={t('settings.title')}>
        <h1>{t('settings.title')}</h1>
        {GROUPS.map((each) => (
          <button
            key={each}
            type="button"
            aria-current={each === group ? 'page' : undefined}
            onClick={() => setGroup(each)}
          >
            {t(`settings.group.${each}`)}
          </button>
        ))}
      </nav>
      <section className={classes.content} aria-label={t(`settings.group.${group}`)}>
        <h2>{t(`settings.group.${group}`)}</h2>
        {isReadOnly && hasAccounts && (
          <p role="status" className={classes.note}>
            {t('settings.readOnly')}
          </p>
        )}
        <Content group={group} />
      </section>
    </div>
  );
}
