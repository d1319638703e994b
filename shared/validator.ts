// Schemas that are compiled when a value is first held against them: a workstation that starts has some 130, of which it
// needs few at once, and compiling them all took 40 to 60 ms.

import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

/** @returns the validator of a schema, compiled by the first call */
export function validatorOf(schema: TSchema): () => Validator {
  let compiled: Validator | undefined;
  return () => {
    compiled ??= Compile(schema);
    return compiled;
  };
}

/** @returns whether a value is as a schema has it */
export function checkerOf<S extends TSchema>(schema: S): (value: unknown) => value is Static<S> {
  const validator = validatorOf(schema);
  return (value): value is Static<S> => validator().Check(value);
}
