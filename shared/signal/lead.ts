// The leads that the service knows by MDC code, and how the labels met in files map to them (formats
// reference, section 0).

export const LEAD_CODES = [
  'MDC_ECG_LEAD_I',
  'MDC_ECG_LEAD_II',
  'MDC_ECG_LEAD_III',
  'MDC_ECG_LEAD_AVR',
  'MDC_ECG_LEAD_AVL',
  'MDC_ECG_LEAD_AVF',
  'MDC_ECG_LEAD_V1',
  'MDC_ECG_LEAD_V2',
  'MDC_ECG_LEAD_V3',
  'MDC_ECG_LEAD_V4',
  'MDC_ECG_LEAD_V5',
  'MDC_ECG_LEAD_V6',
  'MDC_ECG_LEAD_ES',
  'MDC_ECG_LEAD_AS',
  'MDC_ECG_LEAD_AI',
  'MDC_ECG_LEAD_A',
  'MDC_ECG_LEAD_D',
] as const;

export type LeadCode = (typeof LEAD_CODES)[number];

/** The twelve standard leads in the order in which they are printed. */
export const STANDARD_LEADS: readonly LeadCode[] = LEAD_CODES.slice(0, 12);

/** The leads that need the electrodes on arms and legs alone. */
export const LIMB_LEADS: readonly LeadCode[] = STANDARD_LEADS.slice(0, 6);

const DISPLAY: ReadonlyMap<LeadCode, string> = new Map(
  LEAD_CODES.map((code) => {
    const short = code.slice('MDC_ECG_LEAD_'.length);
    return [code, short.startsWith('AV') ? `aV${short.slice(2)}` : short];
  }),
);

/** Short name for screen and paper: `MDC_ECG_LEAD_AVR` → `aVR`; any other name as it is. */
export const leadName = (name: string): string => DISPLAY.get(name as LeadCode) ?? name;

export const isLeadCode = (value: string): value is LeadCode => DISPLAY.has(value as LeadCode);

export interface LeadMatch {
  readonly code: LeadCode;
  /** The electrode pair differs from the standard one (MLII, CM5 …): rhythm yes, twelve-lead criteria no. */
  readonly isModified: boolean;
  /** The file stores the lead with reversed sign (−aVR). */
  readonly isInverted: boolean;
  /** The label alone does not settle the polarity (free text such as `LA-RA`). */
  readonly isPolarityUnclear: boolean;
}

/** Connected as its code says, though maybe upside down: only then it may go out by that code. */
export const isAsNamed = (lead: LeadMatch | undefined): lead is LeadMatch =>
  lead !== undefined && !lead.isModified && !lead.isPolarityUnclear;

const SPELLINGS: Readonly<Record<string, LeadCode>> = {
  i: 'MDC_ECG_LEAD_I',
  l1: 'MDC_ECG_LEAD_I',
  di: 'MDC_ECG_LEAD_I',
  d1: 'MDC_ECG_LEAD_I',
  ii: 'MDC_ECG_LEAD_II',
  l2: 'MDC_ECG_LEAD_II',
  dii: 'MDC_ECG_LEAD_II',
  d2: 'MDC_ECG_LEAD_II',
  iii: 'MDC_ECG_LEAD_III',
  l3: 'MDC_ECG_LEAD_III',
  diii: 'MDC_ECG_LEAD_III',
  d3: 'MDC_ECG_LEAD_III',
  avr: 'MDC_ECG_LEAD_AVR',
  vr: 'MDC_ECG_LEAD_AVR',
  avl: 'MDC_ECG_LEAD_AVL',
  vl: 'MDC_ECG_LEAD_AVL',
  avf: 'MDC_ECG_LEAD_AVF',
  vf: 'MDC_ECG_LEAD_AVF',
  v1: 'MDC_ECG_LEAD_V1',
  c1: 'MDC_ECG_LEAD_V1',
  v2: 'MDC_ECG_LEAD_V2',
  c2: 'MDC_ECG_LEAD_V2',
  v3: 'MDC_ECG_LEAD_V3',
  c3: 'MDC_ECG_LEAD_V3',
  v4: 'MDC_ECG_LEAD_V4',
  c4: 'MDC_ECG_LEAD_V4',
  v5: 'MDC_ECG_LEAD_V5',
  c5: 'MDC_ECG_LEAD_V5',
  v6: 'MDC_ECG_LEAD_V6',
  c6: 'MDC_ECG_LEAD_V6',
  es: 'MDC_ECG_LEAD_ES',
  'e-s': 'MDC_ECG_LEAD_ES',
  as: 'MDC_ECG_LEAD_AS',
  'a-s': 'MDC_ECG_LEAD_AS',
  ai: 'MDC_ECG_LEAD_AI',
  'a-i': 'MDC_ECG_LEAD_AI',
  a: 'MDC_ECG_LEAD_A',
  d: 'MDC_ECG_LEAD_D',
};

const MODIFIED: Readonly<Record<string, LeadCode>> = {
  mli: 'MDC_ECG_LEAD_I',
  mlii: 'MDC_ECG_LEAD_II',
  ml2: 'MDC_ECG_LEAD_II',
  mld2: 'MDC_ECG_LEAD_II',
  mliii: 'MDC_ECG_LEAD_III',
  mv1: 'MDC_ECG_LEAD_V1',
  mv2: 'MDC_ECG_LEAD_V2',
  mv5: 'MDC_ECG_LEAD_V5',
  mvf: 'MDC_ECG_LEAD_AVF',
  mcl1: 'MDC_ECG_LEAD_V1',
  cm1: 'MDC_ECG_LEAD_V1',
  cm5: 'MDC_ECG_LEAD_V5',
  mcl5: 'MDC_ECG_LEAD_V5',
};

const UNCLEAR: Readonly<Record<string, LeadCode>> = {
  'la-ra': 'MDC_ECG_LEAD_I',
  'ra-la': 'MDC_ECG_LEAD_I',
  'll-ra': 'MDC_ECG_LEAD_II',
  'll-la': 'MDC_ECG_LEAD_III',
};

const INVERTED: Readonly<Record<string, LeadCode>> = {
  '-avr': 'MDC_ECG_LEAD_AVR',
  avrneg: 'MDC_ECG_LEAD_AVR',
};

const PREFIX =
  /^(\+|[a-z]+\/(?=ecg)|mdc_ecg_lead_|mdc_ecg_|(ecg|ekg|leads|lead|abl|ableitung|derivation|derivaci[oó]n)(?:[\s_:.]+(?:-\s+)?|-)|(ecg|ekg|lead)(?=(-?av[rlf]|[vc][1-6]|i{1,3})\b))/;
const SUFFIX = /([\s_-]+(ref|le|g2|raw|filt|filtered|einthoven|goldberger|wilson|[uµμmn]?v))$/;
/** What stands in brackets behind a name, and leaves the name as it is. */
const REMARK = /\s*[([](?<words>[^)\]]*)[)\]]$/;
const HARMLESS_REMARK = /^(raw|filt(ered)?|einthoven|goldberger|wilson|limb|chest|[uµμmn]?v|[\d.,\s-]+hz)$/;
const MODIFIED_MARK = /^(modified|mod\.?|m)[\s_-]+(?=i{1,3}$|v[1-6]$)/;

/** @returns undefined where brackets hold words that may change what the label means */
function withoutRemark(text: string): string | undefined {
  const remark = REMARK.exec(text);
  if (remark === null) return text;
  return HARMLESS_REMARK.test(remark.groups?.words?.trim() ?? '') ? text.slice(0, remark.index) : undefined;
}

interface NormalisedLabel {
  readonly withDashes: string;
  readonly plain: string;
  readonly isModified: boolean;
}

function normalised(label: string): NormalisedLabel | undefined {
  let text = withoutRemark(label.trim().toLowerCase());
  if (text === undefined) return undefined;
  for (let cut = text.replace(PREFIX, ''); cut !== text; cut = text.replace(PREFIX, '')) text = cut;
  for (let cut = text.replace(SUFFIX, ''); cut !== '' && cut !== text; cut = text.replace(SUFFIX, ''))
    text = cut;
  const isModified = MODIFIED_MARK.test(text);
  text = text.replace(MODIFIED_MARK, '').trim();
  const minus = text.startsWith('-') ? '-' : '';
  return { withDashes: text, plain: minus + text.replace(/[\s_-]/g, ''), isModified };
}

/**
 * The lead that a label names, or undefined where it names none (`ECG`, `ECG 1`, `X`, `resp`): the label is then shown
 * as it is. Which leads stand beside it may show that it names another thing (`main/signal/channels`).
 */
export function matchLead(label: string): LeadMatch | undefined {
  const form = normalised(label);
  if (form === undefined) return undefined;
  const find = (table: Readonly<Record<string, LeadCode>>) =>
    [form.withDashes, form.plain].filter((key) => Object.hasOwn(table, key)).map((key) => table[key])[0];
  const tables = [
    { table: INVERTED, isModified: false, isInverted: true, isPolarityUnclear: false },
    { table: SPELLINGS, isModified: form.isModified, isInverted: false, isPolarityUnclear: false },
    { table: MODIFIED, isModified: true, isInverted: false, isPolarityUnclear: false },
    { table: UNCLEAR, isModified: false, isInverted: false, isPolarityUnclear: true },
  ];
  for (const { table, ...facts } of tables) {
    const code = find(table);
    if (code !== undefined) return { code, ...facts };
  }
  return undefined;
}

/** Leads named as `II, V1`; what is none is left out. */
export const leadsNamed = (text: string): LeadCode[] =>
  text.split(',').flatMap((label) => matchLead(label.trim())?.code ?? []);
