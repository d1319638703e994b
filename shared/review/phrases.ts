// A reader's own phrases: findings that are said together often, under a name.

import { type Static, Type } from 'typebox';
import { SeveritySchema } from '../analysis-result.ts';

const closed = { additionalProperties: false } as const;
const words = Type.String({ minLength: 1, maxLength: 500 });

const MOST_PHRASE_FINDINGS = 20;
export const LONGEST_PHRASE_NAME = 64;

const PhraseFindingSchema = Type.Object(
  {
    /** The code stands in the catalogue or the library; it is absent for the reader's own words. */
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    text: words,
    severity: SeveritySchema,
  },
  closed,
);
export type PhraseFinding = Static<typeof PhraseFindingSchema>;

export const NewPhraseSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: LONGEST_PHRASE_NAME }),
    /** Nothing else that is abnormal stands beside it. */
    isWhole: Type.Boolean(),
    findings: Type.Array(PhraseFindingSchema, { minItems: 1, maxItems: MOST_PHRASE_FINDINGS }),
  },
  closed,
);
export type NewPhrase = Static<typeof NewPhraseSchema>;

export const PhraseSchema = Type.Object(
  { phraseId: Type.Integer({ minimum: 1 }), ...NewPhraseSchema.properties },
  closed,
);
export type Phrase = Static<typeof PhraseSchema>;
