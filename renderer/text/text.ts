// The message catalogues. All visible text of the screens comes from here.

import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { IsolineError } from '../../shared/errors.ts';
import en from './en.json' with { type: 'json' };

export async function loadText(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    // React escapes; doing it twice would show entities.
    interpolation: { escapeValue: false },
  });
}

/** The sentence of an error in the person's language. A reader's own sentence about a file says more than the general one. */
export function errorText(error: Pick<IsolineError, 'reason'>): string {
  return i18next.t(`error.${error.reason}`);
}
