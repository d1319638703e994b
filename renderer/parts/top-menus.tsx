// The menus of the top bar: who is signed in, the look of the screens, what is open to the network.

import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, type Language } from '../../shared/language.ts';
import { useSession } from '../bridge/use-session.ts';
import { chooseLanguage } from '../text/text.ts';
import { Icon } from './icon.tsx';
import { Key } from './key.tsx';
import classes from './top-bar.module.css';
import { useCriticals } from './use-criticals.ts';

/** The service is open to the network: said all the time, with what devices pin (SEC20, SEC41). */
function NetworkChip({ fingerprint }: { fingerprint: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={380}>
      <Menu.Target>
        <button type="button" className={classes.chip}>
          <Icon name="warning" size={17} />
          {t('top.network')}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.fingerprint ?? ''}>{t('top.networkText', { fingerprint })}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}

interface TopMenusProps {
  readonly version: string;
  /** The fingerprint of the service's certificate, where it is open to the network. */
  readonly fingerprint: string | undefined;
}

/** @returns what changes as soon as somebody goes to another screen, or another ECG is critical: what is open closes then */
function useWhatIsInSight(): string {
  const [moves, setMoves] = useState(0);
  const { may, isLocked } = useSession();
  const [oldest] = useCriticals(!isLocked && may('review'));
  useEffect(() => {
    const note = (): void => setMoves((before) => before + 1);
    addEventListener('hashchange', note);
    return () => removeEventListener('hashchange', note);
  }, []);
  return `${moves} ${oldest?.taskId ?? ''}`;
}

export function TopMenus({ version, fingerprint }: TopMenusProps): ReactNode {
  const inSight = useWhatIsInSight();
  return (
    <Fragment key={inSight}>
      {fingerprint !== undefined && <NetworkChip fingerprint={fingerprint} />}
      <UserMenu version={version} />
    </Fragment>
  );
}

function UserMenu({ version }: { version: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { person, lock } = useSession();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className={classes.chip}>
          {person?.name ?? t('top.view')}
          <Icon name="down" size={15} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {person !== undefined && (
          <>
            <Menu.Label>
              {person.name} · {t(`role.${person.role}`)}
            </Menu.Label>
            <Menu.Item rightSection={<Key of="everywhere.lock" />} onClick={() => void lock()}>
              {t('lock.switch')}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        >
          {(['light', 'dark', 'auto'] satisfies MantineColorScheme[]).map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {t(`top.${scheme === 'auto' ? 'system' : scheme}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('top.language')}</Menu.Label>
        <Menu.RadioGroup
          value={i18n.language}
          onChange={(language) => void chooseLanguage(language as Language)}
        >
          {Object.entries(LANGUAGES).map(([language, name]) => (
            <Menu.RadioItem key={language} value={language} lang={language}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item component="a" href="#/help/user-guide" leftSection={<Icon name="report" />}>
          {t('help.title')}
        </Menu.Item>
        <Menu.Label>{t('top.version', { version })}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
