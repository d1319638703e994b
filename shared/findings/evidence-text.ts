// What a statement rests on, in words: `QRS 149 ms (limit 120)`. A value that has no words here is said by the statement
// itself.

import type { Evidence } from '../analysis-result.ts';
import { DECIMAL_SIGNS, type Language } from '../language.ts';
import { isLeadCode, leadName } from '../signal/lead.ts';
import { EVIDENCE_WORDS, type EvidenceName, LIMIT_WORD } from './evidence-words.ts';

interface Unit {
  readonly text: string;
  readonly factor?: number;
  readonly digits: number;
}

const MS: Unit = { text: ' ms', digits: 0 };
const MV: Unit = { text: ' mV', digits: 2 };
const SHARE: Unit = { text: ' %', factor: 100, digits: 1 };

/** By the end of a name. */
const UNITS: readonly (readonly [ending: RegExp, unit: Unit])[] = [
  [/Ms$/, MS],
  [/Mv$/, MV],
  [/Uv$/, { text: ' µV', digits: 0 }],
  [/Deg$/, { text: '°', digits: 0 }],
  [/Hz$/, { text: ' Hz', digits: 0 }],
  [/Bpm$/, { text: '/min', digits: 0 }],
  [/[pP]erMinute$/, { text: '/min', digits: 1 }],
  [/[sS]econds$/, { text: ' s', digits: 1 }],
  [/[sS]hare$|^scatter$/, SHARE],
  [/[eE]ntropy$|[cC]orrelation$|[cC]oherence$|^repetition$/, { text: '', digits: 2 }],
];
const PLAIN: Unit = { text: '', digits: 0 };

/** Values by lead have the unit of what the statement is about. */
function unitByLead(code: string): Unit {
  if (code === 'ISC-QMI' || code === 'ISC-QMIAGE') return MS;
  return code.startsWith('QUAL-') ? SHARE : MV;
}

const isNamed = (name: string, language: Language): name is EvidenceName =>
  Object.hasOwn(EVIDENCE_WORDS[language], name);

function written(value: number, { factor = 1, digits }: Unit, language: Language): string {
  const exact = factor * value;
  const rounded = Number(exact.toFixed(digits));
  // What is there is never written as nothing.
  const number = rounded === 0 ? Number(exact.toPrecision(1)) : rounded;
  return String(number).replace('.', DECIMAL_SIGNS[language]).replace('-', '−');
}

/** One piece a value, in the order of the evidence; empty where all is said by the statement. */
export function evidenceTexts(
  { code, evidence }: { readonly code: string; readonly evidence?: Evidence | undefined },
  language: Language,
): string[] {
  const { values = {}, limits = {} } = evidence ?? {};
  return Object.entries(values).flatMap(([name, value]) => {
    const isLead = isLeadCode(name);
    if (!isLead && !isNamed(name, language)) return [];
    const label = isLead ? leadName(name) : EVIDENCE_WORDS[language][name as EvidenceName];
    const unit = isLead ? unitByLead(code) : (UNITS.find(([ending]) => ending.test(name))?.[1] ?? PLAIN);
    const limit = limits[name];
    const shown = `${label} ${written(value, unit, language)}${unit.text}`;
    return [
      limit === undefined ? shown : `${shown} (${LIMIT_WORD[language]} ${written(limit, unit, language)})`,
    ];
  });
}
