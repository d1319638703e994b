// What a person is asked when a connection is set up: one description, from which the form of the screen, the options of the
// command line and the check at the border are made.

import { type TSchema, Type } from 'typebox';

export interface FieldForm {
  /** Its name at the command line: `--patient-system`. */
  readonly option: string;
  /** What stands for its value in the help. */
  readonly value: string;
  readonly meaning: string;
  readonly isRequired?: boolean;
  /** Filled in beforehand. */
  readonly usual?: string;
  /** Asked only where this field is filled in. */
  readonly onlyWith?: string;
  /** Asked only where a person says that it is wanted. */
  readonly isSwitched?: boolean;
  /** The command line names a file that holds it; no form asks for it. */
  readonly isFile?: boolean;
  /** Shown with the connection once it is set up. */
  readonly isShown?: boolean;
  /** A sentence beside it in the form. */
  readonly hasHint?: boolean;
}

export type FieldSchema = TSchema & { readonly form: FieldForm };

const MOST_CERTIFICATE_CHARACTERS = 65_536;
const MOST_URL_CHARACTERS = 1024;

const text = (maxLength: number, form: FieldForm) => Type.String({ maxLength, form });

/** Its schema, and how it is asked for. */
export const field = {
  text,
  url: (meaning: string) =>
    text(MOST_URL_CHARACTERS, { option: 'url', value: 'U', meaning, isRequired: true, usual: 'https://' }),
  host: () =>
    text(253, {
      option: 'host',
      value: 'H',
      meaning: 'its name or address in the network.',
      isRequired: true,
    }),
  port: (usual: number) =>
    Type.Integer({
      form: { option: 'port', value: 'P', meaning: 'its port.', isRequired: true, usual: String(usual) },
    }),
  tls: () => Type.Boolean({ form: { option: 'tls', value: '', meaning: 'encrypt the connection.' } }),
  certificates: () =>
    Type.Optional(
      text(MOST_CERTIFICATE_CHARACTERS, {
        option: 'ca',
        value: 'FILE',
        meaning: 'a certificate (PEM) to trust in addition to those of the system.',
        isFile: true,
      }),
    ),
};

/** The secret by which a connection is let in; it is kept apart from the database (D134). */
export interface SecretForm {
  /** The command line names a file that holds nothing else. */
  readonly option: string;
  readonly meaning: string;
  readonly onlyWith?: string;
}
