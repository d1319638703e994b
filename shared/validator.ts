// Schemas that are compiled when a value is first held against them: a workstation that starts has some two
// hundred, of which it needs few at once, and compiling them all took a seventh of its start.

import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

/** @returns the validator of a schema, compiled by the first call */
export function validatorOf<S extends TSchema>(
  schema: S,
): () => Validator<Record<never, never>, S, Static<S>> {
  let compiled: Validator<Record<never, never>, S, Static<S>> | undefined;
  return () => {
    compiled ??= Compile(schema) as unknown as Validator<Record<never, never>, S, Static<S>>;
    return compiled;
  };
}
