// Settings: groups under headings at the left, rows with what each does at the right (screens, S9). What this version does
// not have is not shown.

import { TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useSession } from '../../bridge/use-session.ts';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import sideList from '../../parts/side-list.module.css';
import { useCommands, useKeys } from '../../parts/use-keys.ts';
import { AuditGroup } from './audit-group.tsx';
import { BackupRows } from './backup-rows.tsx';
import { CalibrationGroup } from './calibration-group.tsx';
import { ChangedSettings } from './changed-settings.tsx';
import { ChoiceGroup } from './choice-group.tsx';
import { LogoRow } from './logo-row.tsx';
import { MergesGroup } from './merges-group.tsx';
import { OrdersGroup } from './orders-group.tsx';
import { PrintingGroup } from './printing-group.tsx';
import { RoomRows } from './room-rows.tsx';
import { SeatsGroup } from './seats-group.tsx';
import { findSettings, GROUP_ICONS, GROUPS, HEADINGS, type SettingGroup } from './setting-groups.ts';
import classes from './settings.module.css';
import { SHOWN_SETTINGS } from './shown-settings.ts';
import { TokensGroup } from './tokens-group.tsx';
import { UpdateRows } from './update-rows.tsx';
import { UsersGroup } from './users-group.tsx';

function Content({ group }: { group: SettingGroup }): ReactNode {
  switch (group) {
    case 'screen':
      return <CalibrationGroup />;
    case 'printing':
      return <PrintingGroup />;
    case 'orders':
      return <OrdersGroup />;
    case 'patients':
      return <MergesGroup />;
    case 'users':
      return <UsersGroup />;
    case 'seats':
      return <SeatsGroup />;
    case 'audit':
      return <AuditGroup />;
    case 'tokens':
      return <TokensGroup />;
    case 'storage':
      return (
        <>
          <RoomRows />
          <BackupRows />
          <ChoiceGroup settings={SHOWN_SETTINGS.storage} />
        </>
      );
    case 'updates':
      return (
        <>
          <UpdateRows />
          <ChoiceGroup settings={SHOWN_SETTINGS.updates} />
        </>
      );
    case 'report':
      return (
        <ChoiceGroup settings={SHOWN_SETTINGS.report}>
          <LogoRow />
        </ChoiceGroup>
      );
    default:
      return <ChoiceGroup settings={SHOWN_SETTINGS[group]} />;
  }
}

interface GroupsProps {
  /** Undefined while something is looked for. */
  readonly shown: SettingGroup | undefined;
  onChoose(group: SettingGroup): void;
}

function Groups({ shown, onChoose }: GroupsProps): ReactNode {
  const { t } = useTranslation();
  const { data: backup } = useBridgeQuery('backup.state', {});
  const needsBackup = backup !== undefined && (backup.folder === undefined || backup.isLate);
  const { data: update } = useBridgeQuery('update.state', {});
  const attention: Partial<Record<SettingGroup, string>> = {
    ...(needsBackup && { storage: t('backup.attention') }),
    ...(update?.release !== undefined && { updates: t('update.attention') }),
  };
  return Object.entries(HEADINGS).map(([heading, groups]) => (
    <section key={heading} aria-label={t(`settings.heading.${heading}`)}>
      <h3>{t(`settings.heading.${heading}`)}</h3>
      {groups.map((each) => (
        <button
          key={each}
          type="button"
          className={sideList.entry}
          aria-current={each === shown ? 'page' : undefined}
          onClick={() => onChoose(each)}
        >
          <Icon name={GROUP_ICONS[each]} />
          {t(`settings.group.${each}`)}
          {attention[each] !== undefined && (
            <i className={classes.attention} role="img" aria-label={attention[each]} />
          )}
        </button>
      ))}
    </section>
  ));
}

function Found({ typed, onChoose }: { typed: string; onChoose: (group: SettingGroup) => void }): ReactNode {
  const { t } = useTranslation();
  const found = findSettings(t, typed);
  if (found.length === 0) return <p>{t('settings.notFound')}</p>;
  return found.map(({ group, settings }) => (
    <section key={group}>
      <h3>
        <button type="button" className={classes.toGroup} onClick={() => onChoose(group)}>
          {t(`settings.group.${group}`)}
        </button>
      </h3>
      {settings.length === 0 ? <p>{t(`settings.intro.${group}`)}</p> : <ChoiceGroup settings={settings} />}
    </section>
  ));
}

function GroupPage({ group }: { group: SettingGroup }): ReactNode {
  const { t } = useTranslation();
  const { may, hasAccounts } = useSession();
  // What belongs to this computer alone, everybody may set.
  const isReadOnly = !may('settings') && group !== 'screen' && group !== 'printing' && group !== 'audit';
  return (
    <section className={classes.content} aria-label={t(`settings.group.${group}`)}>
      <h2>{t(`settings.group.${group}`)}</h2>
      <p className={classes.intro}>{t(`settings.intro.${group}`)}</p>
      {isReadOnly && hasAccounts && (
        <p role="status" className={classes.note}>
          {t('settings.readOnly')}
        </p>
      )}
      <Content group={group} />
    </section>
  );
}

/** @param shown the group that somebody came here for */
export function SettingsScreen({ shown }: { shown?: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const [group, setGroup] = useState<SettingGroup>(GROUPS.find((each) => each === shown) ?? 'screen');
  const [typed, setTyped] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const isSearching = typed.trim() !== '';
  useCommands('settings', { search: () => search.current?.focus() });
  useKeys({ Escape: isSearching ? () => setTyped('') : undefined });
  const choose = (next: SettingGroup): void => {
    setTyped('');
    setGroup(next);
  };
  return (
    <ChangedSettings>
      <div className={sideList.screen}>
        <nav className={`${sideList.list} ${classes.groups}`} aria-label={t('settings.title')}>
          <h1>{t('settings.title')}</h1>
          <TextInput
            ref={search}
            className={classes.search ?? ''}
            size="md"
            type="search"
            leftSection={<Icon name="search" />}
            rightSection={<Key of="settings.search" />}
            aria-label={t('settings.find')}
            placeholder={t('settings.find')}
            value={typed}
            maxLength={100}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Groups shown={isSearching ? undefined : group} onChoose={choose} />
        </nav>
        {isSearching ? (
          <section className={classes.content} aria-label={t('settings.found')}>
            <h2>{t('settings.found')}</h2>
            <Found typed={typed} onChoose={choose} />
          </section>
        ) : (
          <GroupPage group={group} />
        )}
      </div>
    </ChangedSettings>
  );
}
