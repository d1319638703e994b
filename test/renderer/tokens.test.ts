import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../support/test-data.ts';

const css = readFileSync(join(projectRoot, 'renderer/theme/tokens.css'), 'utf8');

function tokens(block: string): Record<string, string> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [
      name as string,
      value as string,
    ]),
  );
}

const light = tokens(css.slice(css.indexOf(':root {'), css.indexOf(':root[')));
const dark = { ...light, ...tokens(css.slice(css.indexOf(':root['))) };

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const TEXT = [
  ['text', 'surface'],
  ['text', 'bg'],
  ['text2', 'surface'],
  ['text2', 'bg'],
  ['accent', 'surface'],
  ['on-accent', 'accent'],
  ['accent', 'accent-soft'],
  ['text2', 'surface3'],
  ['ok', 'surface'],
  ['warn', 'surface'],
  ['warn', 'warn-bg'],
  ['bad', 'surface'],
  ['bad', 'bad-bg'],
  ['rail-text', 'rail'],
  ['rail-on', 'rail-selected'],
  ['severity-none', 'severity-none-bg'],
  ['severity-low', 'severity-low-bg'],
  ['severity-moderate', 'severity-moderate-bg'],
  ['severity-important', 'severity-important-bg'],
  ['severity-critical', 'severity-critical-bg'],
] as const;

describe.each([
  ['light', light],
  ['dark', dark],
] as const)('%s colours', (_name, theme) => {
  test.each(TEXT)('text in %s on %s has a contrast of at least 5.5', (text, ground) => {
    expect(contrast(theme[text]!, theme[ground]!)).toBeGreaterThanOrEqual(5.5);
  });

  test.each([
    ['line2', 'surface'],
    ['line2', 'bg'],
    ['warn-line', 'surface'],
    ['focus', 'surface'],
    ['before', 'surface'],
    ['before', 'screen'],
  ])('the border %s on %s can be seen (3 : 1)', (line, ground) => {
    expect(contrast(theme[line]!, theme[ground]!)).toBeGreaterThanOrEqual(3);
  });
});
