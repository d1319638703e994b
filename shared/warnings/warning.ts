// Warnings: made by name and values, kept with their English text, said in a person's language.

import type { Language } from '../language.ts';
import type { Warning, WarningValues } from '../signal/recording.ts';
import { fillTemplate } from '../text-template.ts';
import { WARNING_TEXTS, type WarningName } from './warning-texts.ts';

/** @param code where it says more than the name, such as which task it is about */
export function warning(
  name: WarningName,
  values: WarningValues = {},
  code: string = name.replace(/\..*/, ''),
): Warning {
  const message = fillTemplate(WARNING_TEXTS[name].en, values, 'en');
  return { code, message, name, ...(Object.keys(values).length > 0 && { values }) };
}

const isKnownName = (name: string): name is WarningName => Object.hasOwn(WARNING_TEXTS, name);

/**
 * A stored warning in a person's language. One that another version made, by a name that is not known here,
 * keeps its English text.
 */
export function warningText({ name, values, message }: Warning, language: Language): string {
  return name !== undefined && isKnownName(name)
    ? fillTemplate(WARNING_TEXTS[name][language], values ?? {}, language)
    : message;
}
