// The top bar: whose ECG is open, the time, and the look of the screens.

import { type MantineColorScheme, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskRow } from '../../shared/bridge/contract.ts';
import { chooseLanguage, LANGUAGES, type Language } from '../text/text.ts';
import { clockTime } from './format-time.ts';
import { Icon } from './icon.tsx';
import { useName, usePatientFacts } from './patient-line.tsx';
import classes from './top-bar.module.css';

function Clock(): ReactNode {
  const [nowMs, setNowMs] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const { clock, zone } = clockTime(nowMs);
  return (
    <time className={classes.clock} dateTime={new Date(nowMs).toISOString()}>
      {clock} <small>{zone}</small>
    </time>
  );
}

function Banner({ patient }: { patient: TaskRow['patient'] }): ReactNode {
  const name = useName(patient);
  const facts = usePatientFacts(patient);
  return (
    <div className={classes.banner} data-testid="patient-banner">
      <b>{name}</b> <span>{facts}</span>
    </div>
  );
}

function ViewMenu({ version }: { version: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className={classes.chip}>
          {t('top.view')}
          <Icon name="down" size={15} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
          {(['light', 'dark', 'auto'] satisfies MantineColorScheme[]).map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {t(`top.${scheme === 'auto' ? 'system' : scheme}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('top.language')}</Menu.Label>
        <Menu.RadioGroup value={i18n.language} onChange={(language) => void chooseLanguage(language as Language)}>
          {Object.entries(LANGUAGES).map(([language, name]) => (
            <Menu.RadioItem key={language} value={language} lang={language}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('top.version', { version })}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}

interface TopBarProps {
  readonly patient: TaskRow['patient'] | undefined;
  readonly version: string;
  /** Of the service's certificate, where it is open to the network (SEC20, SEC41). */
  readonly fingerprint: string | undefined;
}

export function TopBar({ patient, version, fingerprint }: TopBarProps): ReactNode {
  const { t } = useTranslation();
  return (
    <header className={classes.bar}>
      {patient === undefined ? <div className="quiet">{t('top.noPatient')}</div> : <Banner patient={patient} />}
      <div className={classes.space} />
      {fingerprint !== undefined && (
        <Tooltip label={t('top.networkText', { fingerprint })} multiline w={360}>
          <button type="button" className={classes.chip}>
            <Icon name="warning" size={17} />
            {t('top.network')}
          </button>
        </Tooltip>
      )}
      <Clock />
      <ViewMenu version={version} />
    </header>
  );
}
