// The guides as they stand in docs/guide, in the language of the screens, with their pictures.

import { slugify } from 'markdown-to-jsx';

const GUIDES = ['user-guide', 'administrator-guide', 'intended-use', 'privacy'] as const;
export type Guide = (typeof GUIDES)[number];

/** More pages beside the guides. */
export const LICENCES = 'licences' as const;
export const SUPPORT = 'support' as const;

export const HELP_PAGES = [...GUIDES, LICENCES, SUPPORT] as const;
export type HelpPage = (typeof HELP_PAGES)[number];

export const isHelpPage = (name: string | undefined): name is HelpPage =>
  HELP_PAGES.some((page) => page === name);
export const isGuide = (name: string | undefined): name is Guide => GUIDES.some((guide) => guide === name);

const TEXTS = import.meta.glob<string>('../../../docs/guide/**/*.md', { query: '?raw', import: 'default' });
const PICTURES = import.meta.glob<string>('../../../docs/screenshots/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** English where there is none in that language. */
export async function readGuide(guide: Guide, language: string): Promise<string> {
  const read =
    TEXTS[`../../../docs/guide/${language}/${guide}.md`] ?? TEXTS[`../../../docs/guide/${guide}.md`];
  return (await read?.()) ?? '';
}

/** Whose work is in the program; empty where it was built without it. */
export async function readNotices(): Promise<string> {
  const response = await fetch('./third-party-notices.txt');
  return response.ok ? response.text() : '';
}

/** The address of a picture that a guide names. */
export const pictureUrl = (written: string): string | undefined =>
  PICTURES[`../../../docs/screenshots/${written.split('/').at(-1)}`];

/** The guide that another one links to; undefined where it is none of these. */
export function linkedGuide(written: string): Guide | undefined {
  const name = /^([a-z-]+)\.md$/.exec(written)?.[1];
  return isGuide(name) ? name : undefined;
}

export interface Section {
  readonly id: string;
  readonly title: string;
}

export const sectionsOf = (text: string): readonly Section[] =>
  [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => ({ id: slugify(title), title }));
