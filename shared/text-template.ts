// Texts with places for values.

/**
 * `{name}` is a value; a part in brackets stands only where all of its values are there.
 * @param decimal what stands before the decimals of numbers
 */
export function fillTemplate(template: string, values: Readonly<Record<string, number | string>>, decimal: string): string {
  const shown = (name: string): string => {
    const value = values[name];
    return typeof value === 'number' ? String(value).replace('.', decimal).replace('-', '−') : (value ?? '');
  };
  const names = (part: string): string[] => [...part.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  return template
    .replace(/\[([^\]]*)\]/g, (_, part: string) => (names(part).every((name) => values[name] !== undefined) ? part : ''))
    .replace(/\{(\w+)\}/g, (_, name: string) => shown(name));
}
