// The message catalogues. All visible text of the screens comes from here.

import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Reason } from '../../shared/errors.ts';
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

/** Of these only the device's driver knows what is wrong and what to do. */
const SAID_BY_THE_DRIVER: ReadonlySet<string> = new Set<Reason>(['device_silent', 'device_unusable']);

/** The sentence of an error in the person's language. */
export function errorText({ reason, message }: { readonly reason: string; readonly message?: string | undefined }): string {
  return message !== undefined && SAID_BY_THE_DRIVER.has(reason) ? message : i18next.t(`error.${reason}`);
}
