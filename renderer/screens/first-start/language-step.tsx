// Language of the screens, and the country with what is usual there.

import { type ComboboxItem, Select } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, type Language } from '../../../shared/language.ts';
import { useSetting, useSettingChange } from '../../bridge/use-settings.ts';
import { Segments } from '../../parts/segments.tsx';
import { chooseLanguage, shownLanguage } from '../../text/text.ts';
import { countries, customsOf, likelyCountry, namesThatBegin, settingsOf } from './countries.ts';
import classes from './first-start.module.css';
import type { StepProps } from './step-props.ts';

const CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value: value as Language, label }));

function Customs({ country }: { country: string }): ReactNode {
  const { t } = useTranslation();
  const { paper, mainsHz, electrodes, dateOrder } = customsOf(country);
  const facts = [
    [t('start.language.paper'), paper],
    [t('start.language.mains'), mainsHz === undefined ? t('start.language.bothMains') : `${mainsHz} Hz`],
    [t('start.language.electrodes'), t(`settings.choice.display_electrodeCode.${electrodes}`)],
    [t('start.language.dates'), t(`settings.choice.orders_dateOrder.${dateOrder}`)],
  ];
  return (
    <div className={classes.usual}>
      <h2>{t('start.language.usual')}</h2>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet">{t('start.language.change')}</p>
    </div>
  );
}

export function LanguageStep({ formId, onSubmit }: StepProps): ReactNode {
  const { t } = useTranslation();
  const language = shownLanguage();
  const known = useSetting('clinic.country');
  const [typed, setTyped] = useState<string | undefined>();
  const country = typed ?? (known || likelyCountry(navigator.language));
  const choices = useMemo(
    () => countries(language).map(({ code, name }) => ({ value: code, label: name })),
    [language],
  );
  const [isMissing, setMissing] = useState(false);
  const setting = useSettingChange();
  const save = async (): Promise<boolean> => {
    // What somebody set since is not undone by looking at this page again.
    setMissing(country === '');
    if (country === '') return false;
    if (country === known) return true;
    for (const [key, text] of [['report.language', language] as const, ...settingsOf(country)])
      if (!(await setting.change(key, text))) return false;
    return true;
  };
  return (
    <form id={formId} onSubmit={(event) => onSubmit(event, save)}>
      <div className={classes.card}>
        <div className={classes.field}>
          <b id="start-language">{t('top.language')}</b>
          <Segments
            label={t('top.language')}
            name="start-language"
            segments={CHOICES}
            value={language}
            onChoose={(chosen) => void chooseLanguage(chosen)}
          />
        </div>
        <Select
          size="md"
          label={t('start.language.country')}
          placeholder={t('start.language.choose')}
          searchable
          selectFirstOptionOnChange
          // What is typed replaces what was proposed.
          onFocus={({ currentTarget }) => currentTarget.select()}
          nothingFoundMessage={t('start.language.noCountry')}
          error={isMissing && country === '' ? t('start.language.first') : undefined}
          data={choices}
          filter={({ options, search }) => namesThatBegin(options as ComboboxItem[], search)}
          value={country === '' ? null : country}
          onChange={(code) => setTyped(code ?? '')}
        />
      </div>
      {country !== '' && <Customs country={country} />}
      <a className={classes.instead} href="#/start/restore">
        {t('start.restore.instead')}
      </a>
      {setting.trouble !== undefined && (
        <p role="alert" className={classes.trouble}>
          {setting.trouble}
        </p>
      )}
    </form>
  );
}
