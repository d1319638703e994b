// The message catalogues. All visible text of the screens comes from here.

import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Reason } from '../../shared/errors.ts';
import type { Language } from '../../shared/language.ts';
import { SEVERITY_WORDS } from '../../shared/severity-words.ts';
import en from './en.json' with { type: 'json' };

const KEPT_UNDER = 'isoline.language';

/** Some words are those of reports and results, too. */
const withShared = <T extends object>(texts: T, language: Language) => ({
  ...texts,
  severity: SEVERITY_WORDS[language],
});

/** The one that was chosen here, else that of the system, else English. */
function firstLanguage(): Language {
  const wanted = localStorage.getItem(KEPT_UNDER) ?? navigator.language.slice(0, 2);
  return wanted === 'es' ? 'es' : 'en';
}

async function show(language: Language): Promise<void> {
  // What nobody reads is not loaded.
  if (language === 'es' && !i18next.hasResourceBundle('es', 'translation'))
    i18next.addResourceBundle('es', 'translation', withShared((await import('./es.json')).default, 'es'));
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

export async function loadText(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: withShared(en, 'en') } },
    // React escapes; doing it twice would show entities.
    interpolation: { escapeValue: false },
  });
  await show(firstLanguage());
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT_UNDER, language);
  await show(language);
}

/** The language that the screens are in now. */
export const shownLanguage = (): Language => (i18next.language === 'es' ? 'es' : 'en');

/** Only the device's driver knows what is wrong in these cases, and what to do. */
const SAID_BY_THE_DRIVER: ReadonlySet<string> = new Set<Reason>(['device_silent', 'device_unusable']);

/** The sentence of an error in the person's language. */
export function errorText({
  reason,
  message,
}: {
  readonly reason: string;
  readonly message?: string | undefined;
}): string {
  return message !== undefined && SAID_BY_THE_DRIVER.has(reason) ? message : i18next.t(`error.${reason}`);
}
