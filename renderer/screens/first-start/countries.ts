// What a country suggests for paper, mains, electrode labels and dates: proposals that somebody sees and can change.

import type { DateOrder } from '../../../shared/entry/typed-date.ts';
import type { SettingKey } from '../../../shared/settings.ts';

/** ISO 3166-1, two letters: the members and observers of the United Nations, and Taiwan, Kosovo, Puerto Rico. */
const CODES =
  'AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ ' +
  'DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI ' +
  'NL NO NP NR NZ OM PA PE PG PH PK PL PR PS PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH ' +
  'TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS XK YE ZA ZM ZW';

/** ANSI Letter is the paper of offices there (Unicode CLDR, supplemental data, paper size). */
const LETTER = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '));
/** 60 Hz (IEC world plugs list). Japan has both. */
const SIXTY_HZ = new Set(
  'AG BR BS BZ CA CO CR CU DO EC FM GT GY HN HT KN KR LR MH MX NI PA PE PH PR PW SA SR SV TT TW US VE'.split(
    ' ',
  ),
);
const BOTH = new Set(['JP']);
/** Cables follow the American code (AHA) there; elsewhere that of IEC 60601-2-25. */
const AHA = new Set('CA MX PH PR US'.split(' '));

/** Numeric dates begin with the month (Unicode CLDR). */
const MONTH_FIRST = new Set('FM MH PH PR PW US'.split(' '));

export interface Country {
  readonly code: string;
  readonly name: string;
}

export const countryName = (code: string, language: string): string =>
  new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;

export function countries(language: string): readonly Country[] {
  return CODES.split(' ')
    .map((code) => ({ code, name: countryName(code, language) }))
    .sort((a, b) => a.name.localeCompare(b.name, language));
}

const letters = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** Names that begin so come first, then those with such a word in it; what lies within a word is not meant. */
export function namesThatBegin<T extends { readonly label: string }>(
  choices: readonly T[],
  typed: string,
): T[] {
  const wanted = letters(typed);
  const rankOf = ({ label }: T): number => {
    const name = letters(label);
    if (name.startsWith(wanted)) return 0;
    return name.split(/[\s\-’']+/).some((word) => word.startsWith(wanted)) ? 1 : 2;
  };
  return [0, 1].flatMap((rank) => choices.filter((choice) => rankOf(choice) === rank));
}

/** As the system of this computer says it, if it says one. */
export function likelyCountry(locale: string): string {
  const region = new Intl.Locale(locale).region ?? '';
  return CODES.split(' ').includes(region) ? region : '';
}

export interface Customs {
  readonly paper: 'A4' | 'Letter';
  /** Undefined where both are usual. */
  readonly mainsHz: '50' | '60' | undefined;
  readonly electrodes: 'IEC' | 'AHA';
  readonly dateOrder: DateOrder;
}

export function customsOf(code: string): Customs {
  return {
    paper: LETTER.has(code) ? 'Letter' : 'A4',
    mainsHz: BOTH.has(code) ? undefined : SIXTY_HZ.has(code) ? '60' : '50',
    electrodes: AHA.has(code) ? 'AHA' : 'IEC',
    dateOrder: MONTH_FIRST.has(code) ? 'monthFirst' : 'dayFirst',
  };
}

export function settingsOf(code: string): readonly (readonly [SettingKey, string])[] {
  const { paper, mainsHz, electrodes, dateOrder } = customsOf(code);
  return [
    ['clinic.country', code],
    ['report.paper', paper],
    ['display.electrodeCode', electrodes],
    ['display.mainsFilter', mainsHz ?? 'off'],
    ['orders.dateOrder', dateOrder],
  ];
}
