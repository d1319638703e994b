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
  '1': 'MDC_ECG_LEAD_I',
  leadi: 'MDC_ECG_LEAD_I',
  ii: 'MDC_ECG_LEAD_II',
  l2: 'MDC_ECG_LEAD_II',
  dii: 'MDC_ECG_LEAD_II',
  d2: 'MDC_ECG_LEAD_II',
  '2': 'MDC_ECG_LEAD_II',
  iii: 'MDC_ECG_LEAD_III',
  l3: 'MDC_ECG_LEAD_III',
  diii: 'MDC_ECG_LEAD_III',
  d3: 'MDC_ECG_LEAD_III',
  '3': 'MDC_ECG_LEAD_III',
  avr: 'MDC_ECG_LEAD_AVR',
  vr: 'MDC_ECG_LEAD_AVR',
  avl: 'MDC_ECG_LEAD_AVL',
  vl: 'MDC_ECG_LEAD_AVL',
  avf: 'MDC_ECG_LEAD_AVF',
  vf: 'MDC_ECG_LEAD_AVF',
  v1: 'MDC_ECG_LEAD_V1',
  c1: 'MDC_ECG_LEAD_V1',
  p1: 'MDC_ECG_LEAD_V1',
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
  mlii: 'MDC_ECG_LEAD_II',
  ml2: 'MDC_ECG_LEAD_II',
  mld2: 'MDC_ECG_LEAD_II',
  mliii: 'MDC_ECG_LEAD_III',
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

const PREFIX = /^(mdc_ecg_lead_|mdc_ecg_|(ecg|ekg|leads|lead|abl|ableitung|derivation|channel)[\s_\-:.]+)/;
const SUFFIX = /(-ref|-le|-g2|\(raw\)|_raw| filtered)$/;

function normalisedForms(label: string): readonly [string, string] {
  let text = label.trim().toLowerCase();
  for (let cut = text.replace(PREFIX, ''); cut !== text; cut = text.replace(PREFIX, '')) text = cut;
  text = text.replace(SUFFIX, '').trim();
  const minus = text.startsWith('-') ? '-' : '';
  return [text, minus + text.replace(/[\s_-]/g, '')];
}

/**
 * The lead that a label names, or undefined where it names none (`ECG`, `X`, `resp`): the label is then shown
 * as it is.
 */
export function matchLead(label: string): LeadMatch | undefined {
  const [withDashes, plain] = normalisedForms(label);
  const find = (table: Readonly<Record<string, LeadCode>>) =>
    Object.hasOwn(table, withDashes)
      ? table[withDashes]
      : Object.hasOwn(table, plain)
        ? table[plain]
        : undefined;
  const tables = [
    { table: INVERTED, isModified: false, isInverted: true, isPolarityUnclear: false },
    { table: SPELLINGS, isModified: false, isInverted: false, isPolarityUnclear: false },
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
