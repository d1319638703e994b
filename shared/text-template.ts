// Texts with places for values.

import { DECIMAL_SIGNS, type Language } from './language.ts';

/**
 * `{name}` is a value; a part in brackets stands only where all of its values are there. Numbers are written
 * as the language writes them.
 */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, number | string>>,
  language: Language,
): string {
  const shown = (name: string): string => {
    const value = values[name];
    return typeof value === 'number'
      ? String(value).replace('.', DECIMAL_SIGNS[language]).replace('-', '−')
      : (value ?? '');
  };
  const names = (part: string): string[] =>
    [...part.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  return template
    .replace(/\[([^\]]*)\]/g, (_, part: string) =>
      names(part).every((name) => values[name] !== undefined) ? part : '',
    )
    .replace(/\{(\w+)\}/g, (_, name: string) => shown(name));
}
