// All kinds of connections. A new one is a file beside this one, a line in this one, its words, and its protocol in
// `main/connections`.

import { type Static, type TObject, Type } from 'typebox';
import { CENTRAL } from './central.ts';
import type { ConnectionFacts, OrderTroubles } from './connection-facts.ts';
import type { FieldSchema } from './connection-field.ts';
import { DICOM } from './dicom.ts';
import { FHIR } from './fhir.ts';
import { FOLDER } from './folder.ts';
import { HL7 } from './hl7.ts';
import { wrong } from './wrong-field.ts';

export const CONNECTIONS = { central: CENTRAL, dicom: DICOM, hl7: HL7, fhir: FHIR, folder: FOLDER } as const;

type Kinds = typeof CONNECTIONS;
export type ConnectionKind = keyof Kinds;
export type ConfigOf<K extends ConnectionKind> = Static<Kinds[K]['config']>;

/** A kind, and its configuration. */
export type ConnectionTo = {
  readonly [K in ConnectionKind]: { readonly kind: K; readonly config: ConfigOf<K> };
}[ConnectionKind];

export const CONNECTION_KINDS = Object.keys(CONNECTIONS) as ConnectionKind[];

/** A kind whose configuration is that of this connection, whichever it is. */
export const factsOf = ({ kind }: Pick<ConnectionTo, 'kind'>): ConnectionFacts => CONNECTIONS[kind];

export const ConnectionTo = Type.Unsafe<ConnectionTo>(
  Type.Union(
    CONNECTION_KINDS.map((kind) =>
      Type.Object(
        { kind: Type.Literal(kind), config: CONNECTIONS[kind].config as TObject },
        { additionalProperties: false },
      ),
    ),
  ),
);

const MOST_SECRET = 4096;

/** @throws IsolineError `invalid_request` */
export function checkSecret(secret: string): string {
  const said = secret.trim();
  if (said === '' || said.length > MOST_SECRET || !/^[\x21-\x7e]+$/.test(said))
    throw wrong(
      'secret',
      'The token or secret must be a single line of letters, digits and symbols, as it was issued.',
    );
  return said;
}

/**
 * @returns the connection as it is kept
 * @throws IsolineError `invalid_request` where it, or its secret, is not as its kind has it
 */
export function checkConnection(to: ConnectionTo, secret: string): { to: ConnectionTo; secret: string } {
  const facts = factsOf(to);
  const kept = { kind: to.kind, config: facts.check(to.config) } as ConnectionTo;
  if (!facts.needsSecret(kept.config)) {
    if (facts.secret !== undefined && secret.trim() !== '')
      throw wrong('client', 'A client needs three things: its ID, its secret, and the token address.');
    return { to: kept, secret: '' };
  }
  return { to: kept, secret: checkSecret(secret) };
}

/** What went to the one is known of the other. */
export const isSameConnection = (one: ConnectionTo, other: ConnectionTo): boolean =>
  one.kind === other.kind && factsOf(one).isSame(one.config, other.config);

/** They cannot stand beside each other. */
export const isInTheWayOf = (one: ConnectionTo, other: ConnectionTo): boolean =>
  isSameConnection(one, other) ||
  (one.kind === other.kind && factsOf(one).isInTheWay?.(one.config, other.config) === true);

/** The fields of a kind, in the order of its form. */
export const fieldsOf = (kind: ConnectionKind): readonly (readonly [name: string, schema: FieldSchema])[] =>
  Object.entries(CONNECTIONS[kind].config.properties as unknown as Record<string, FieldSchema>);

/** What is shown of a connection that is set up: the fields that say something, by name. */
export function shownOf({ kind, config }: ConnectionTo): Readonly<Record<string, string>> {
  const values = config as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fieldsOf(kind).flatMap(([name, schema]) => {
      const value = values[name];
      return schema.form.isShown === true && value !== undefined && value !== ''
        ? [[name, String(value)]]
        : [];
    }),
  );
}

/** What is said of its orders; undefined where none come from there. */
export const orderTroublesOf = (to: ConnectionTo): OrderTroubles | undefined =>
  factsOf(to).orderTroubles?.(to.config);
