// The fonts for letters that the report's own font lacks: Noto Sans, from the packages that bring it. A file is read when the first
// letter of its script is met, which few reports have.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptFont } from '../report/script-runs.ts';

/** Scripts whose package and file are called alike. */
const BY_NAME: Readonly<Record<string, RegExp>> = {
  arabic: /\p{scx=Arab}/u,
  hebrew: /\p{scx=Hebr}/u,
  thai: /\p{scx=Thai}/u,
  devanagari: /\p{scx=Deva}/u,
  bengali: /\p{scx=Beng}/u,
  gujarati: /\p{scx=Gujr}/u,
  gurmukhi: /\p{scx=Guru}/u,
  kannada: /\p{scx=Knda}/u,
  malayalam: /\p{scx=Mlym}/u,
  sinhala: /\p{scx=Sinh}/u,
  tamil: /\p{scx=Taml}/u,
  telugu: /\p{scx=Telu}/u,
  khmer: /\p{scx=Khmr}/u,
  lao: /\p{scx=Laoo}/u,
  myanmar: /\p{scx=Mymr}/u,
  georgian: /\p{scx=Geor}/u,
  armenian: /\p{scx=Armn}/u,
  ethiopic: /\p{scx=Ethi}/u,
};

/** Scripts that are written from the right. */
const FROM_RIGHT: ReadonlySet<string> = new Set(['arabic', 'hebrew']);

/** Chinese and Japanese share a font; Korean has one. */
const LARGE: readonly (readonly [name: string, letters: RegExp, path: string])[] = [
  ['hangul', /\p{scx=Hang}/u, '@embedpdf/fonts-kr/fonts/NotoSansKR-Regular.otf'],
  [
    'han',
    /\p{scx=Han}|\p{scx=Hira}|\p{scx=Kana}|\p{scx=Bopo}|[\uff00-\uffef]/u,
    '@embedpdf/fonts-sc/fonts/NotoSansHans-Regular.otf',
  ],
];

const pathOf = (name: string): string =>
  `@fontsource/noto-sans-${name}/files/noto-sans-${name}-${name}-400-normal.woff`;

/** Files of packages that the program is shipped with. */
export const scriptFontPaths = (): string[] => [
  ...Object.keys(BY_NAME).map(pathOf),
  ...LARGE.map(([, , path]) => path),
];

/** @param packages the folder of the program's packages */
export function scriptFonts(packages: string): ScriptFont[] {
  const font = (name: string, letters: RegExp, path: string): ScriptFont => {
    let read: Uint8Array | undefined;
    return {
      name,
      letters,
      isFromRight: FROM_RIGHT.has(name),
      bytes() {
        read ??= readFileSync(join(packages, path));
        return read;
      },
    };
  };
  return [
    ...Object.entries(BY_NAME).map(([name, letters]) => font(name, letters, pathOf(name))),
    ...LARGE.map(([name, letters, path]) => font(name, letters, path)),
  ];
}
