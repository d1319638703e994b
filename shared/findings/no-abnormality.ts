// Statements that tell no abnormality: notes about how an ECG was judged, and variants of the normal. They take nothing
// from a normal ECG, and add nothing to how grave it is, whoever states them.

import type { Statement } from '../analysis-result.ts';
import { severityRank } from '../severity.ts';

/** Which limits were applied says nothing about the heart. */
const NOTES: ReadonlySet<string> = new Set(['INT-CHILD', 'INT-CHILDLIM']);

export const isNote = (code: string): boolean => NOTES.has(code);

/** How physicians write it, in the languages of the program. */
const VARIANT = /\b(normal variant|variant of (the )?normal|variante (de la |de lo )?normal(idad)?)\b/i;
/** Doubt, denial, or another finding beside it leave the statement what its severity says. */
const MORE =
  /(\b(not|cannot|no|nor|never|without|rather than|unlikely|doubtful|versus|vs|or|and|but|may|might|maybe|could|likely|hardly|perhaps|o|y|e|pero|ni|nunca|sin|tampoco|quizás?|podría)\b|n[’']t\b|\b(possib|probab|suspect|posib|improb|dudos|sospech)|\btal vez\b|, (new|nuevo)\b|[?;:]|\.(?!$))/i;

/** A statement that is grave by its severity is no variant, whatever its words. */
export function tellsNoAbnormality({
  code,
  text,
  severity,
}: Pick<Statement, 'code' | 'text' | 'severity'>): boolean {
  if (severity === 'NONE' || isNote(code)) return true;
  return severityRank(severity) <= severityRank('LOW') && VARIANT.test(text) && !MORE.test(text);
}
