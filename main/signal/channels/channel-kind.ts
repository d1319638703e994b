// What a label says that a channel is, read without the channels beside it.

import type { ChannelKind } from '../../../shared/signal/channel-kind.ts';

/** `site` is one of the 10-20 system that no lead of an ECG shares; `sharedSite` is one that IEC names of chest leads share. */
export type LabelSays = ChannelKind | 'site' | 'vagueSite' | 'sharedSite' | 'earOrMastoid' | 'axis';

/** Each is looked for among the words of a label, in this order: what is counted or marked is no signal, whatever it is beside. */
const WORDS: readonly (readonly [ChannelKind, RegExp])[] = [
  [
    'marker',
    /\b(mk|mark|marks|marker|markers|event|events|trig|trigger|status|stim|button|annotations?|sync|ttl|digital|counter|timestamp|time stamp|quality|off|pace|pacer|sample index)\b/,
  ],
  ['battery', /\b(bat|batt|battery|vbat|vbatt|supply)\b/],
  [
    'oximetry',
    /\b(sp ?o2\w*|sa ?o2\w*|osat|sat|ox(i|y)\w*|ox ?stat\w*|pleth\w*|ppg\w*|pulse\w*|puls|bvp|ibi|perfusion|pr|prate|hr|h r|hrv|h ?rate|heart ?rate|bpm)\b/,
  ],
  ['fetal', /\b(fecg|fhr\w*|fetal\w*|foetal\w*|scalp|direct ?\d|abdomen ?\d|uterine|toco|uc)\b/],
  ['eeg', /\beeg|\bvns\b|\bphotic\b/],
  ['eog', /(eog[lr]?\b|\beog|eye)|\b(loc|roc|e[12])\b/],
  [
    'emg',
    /(emg\b|\bemg)|\b([lrc]?chin\w*|submental|subment|mental\w*|ment\d|l ?leg\w*|r ?leg\w*|leg\w*|lat|rat|l ?tib\w*|r ?tib\w*|tib\w*|plm\w*|masseter|intercost\w*|deltoid|soleus|biceps|gastro\w*)\b/,
  ],
  [
    'respiration',
    /\b(resp\w*|tho|thor\w*|thrx|tora\w*|addom\w*|termist\w*|rib\w*|atm\w*|atem\w*|volume|vol|paw|awp|pres|chest|abd\w*|abdo\w*|air ?flow|flow\w*|nasal\w*|nose|oral\w*|therm(istor|ocouple)?\w*|cann?ula\w*|ptaf|pflow|tflow|snor\w*|rip\w*|effort\w*|(x|rip) ?sum|sum|cpap\w*|mask\w*|leak|et ?co2\w*|tc ?co2|co2|capno\w*|tidal\w*|vt|vent|breath\w*|pneumo\w*|imped\w*|belt\w*|press|airway|vth|vab|nafl?|rc)\b/,
  ],
  [
    'pressure',
    /\b(abp|art|arterial|ua?p|uvp|cvp|pap|icp|nibp|ibp|bp\w*|lvp|rvp|pcwp|fin(ger|apres)\w*|portapres)\b/,
  ],
  [
    'motion',
    /\b(acc\w*|[ag] ?[xyz]|axis ?\d|[xyz] axis|scg|bcg|gyr\w*|magn\w*|pos|position|posit\w*|body\w*|act|activity|actig\w*|actim\w*|motion|move\w*|movement|g ?force|angle|elevation|orientation)\b/,
  ],
  ['temperature', /\b(temp\w*|tcore|tskin|rectal)\b/],
  [
    'other',
    /\b(gsr|eda|scl|scr|ep|erg|meg|mcg|light\w*|lux|sound|mic|microphone|audio|phono\w*|pcg|dc ?\d*|aux\w*|gnd|ground|reference|ref|doppler|intensity|noise|vibration\w*|strain|force|load|torque)\b/,
  ],
];

/** With the word ECG beside them, these name what was computed of an ECG or says how it is. */
const ABOUT_ECG =
  /\b(off|quality|hr|rate|bpm|rr|intervals?|annotations?|trig|trigger|mark|marks|marker|markers|status)\b/;
const ECG_WORD = /\b(ecg|ekg|electrocard\w*)|(^|[^f])(ecg|ekg)/;

const ELECTRODE = '(?:fp|af|ft|fc|cp|tp|po|f|c|t|p|o)(?:z|\\d{1,2})|iz|nz|oz|cs2|a[12]|m[12]|pg[12]|sp[12]';
const REFERENCE =
  'a1|a2|a1a2|a12|m1|m2|m1m2|m12|ref|reference|le|avg|av|ave|aver|car|g\\d+|linked|ears?|x\\d*';
const SITE = new RegExp(`^(?:${ELECTRODE})(?:[\\s-]?(?:${ELECTRODE}|${REFERENCE})\\d?)*$`);
const SHARED = /^c[1-9]([\s-](ref|le))?$/;
/** Sites whose names others use as well: P1 for a pressure, T1 for a temperature, O2 for a gas. */
const VAGUE_SITE = /^[pto]\d$/;
const EAR_OR_MASTOID = /^[am][12]$/;
const AXIS = /^[xyz]$/;
const FRANK = /^v[xyz]$/;
/** What may stand behind any label and says nothing of the place. */
const ENDING = /[\s-]+(raw|filt|filtered|[uµμmn]?v)$/;

const plain = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replace(/[_.:/,;#()[\]]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Reads a label; what it says may depend on what stands beside it (`judgeChannels`). */
export function readLabel(label: string): LabelSays {
  const text = plain(label);
  const bare = text.replace(ENDING, '');
  const site = bare.replace(/^(eeg|channel|ch|elec(trode)?)[\s-]+/, '');
  if (EAR_OR_MASTOID.test(bare)) return 'earOrMastoid';
  if (SHARED.test(bare)) return 'sharedSite';
  if (AXIS.test(bare)) return 'axis';
  if (FRANK.test(bare)) return 'ecg';
  if (VAGUE_SITE.test(bare)) return 'vagueSite';
  if (SITE.test(site)) return 'site';
  const words = text.replaceAll('-', ' ');
  if (ECG_WORD.test(words) && !/\bfecg/.test(words)) return ABOUT_ECG.test(words) ? 'marker' : 'ecg';
  return WORDS.find(([, known]) => known.test(words))?.[0] ?? 'unknown';
}
