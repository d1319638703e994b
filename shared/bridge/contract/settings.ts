// Settings, tokens, and what the workstation is.

import { Type } from 'typebox';
import { SCOPES } from '../../token-scopes.ts';
import { bytes, closed, none, text } from '../fields.ts';
import { ServiceTrouble, STORAGE_TROUBLES, TokenView } from '../views.ts';
import type { Operation } from './operation.ts';

export const SETTING_QUERIES = {
  'workstation.about': {
    input: none,
    output: Type.Object(
      {
        version: Type.String(),
        isDemo: Type.Boolean(),
        /** Empty where it is off. */
        serviceUrl: Type.String(),
        serviceTrouble: Type.Optional(ServiceTrouble),
        storageTrouble: Type.Optional(Type.Enum([...STORAGE_TROUBLES])),
        fingerprint: Type.Optional(Type.String()),
        /** What the seat is called; absent at the workstation itself. */
        seat: Type.Optional(Type.String()),
      },
      closed,
    ),
    right: 'anybody',
  },
  /** For somebody who helps; without anything of a patient. */
  'workstation.support': {
    input: none,
    output: Type.Object({ text: Type.String() }, closed),
    right: 'signedIn',
  },
  /** Everything that can be set, as text. */
  'setting.list': {
    input: none,
    output: Type.Object({ values: Type.Record(Type.String(), Type.String()) }, closed),
    right: 'signedIn',
  },
  /** PNG; absent where there is none. */
  'setting.logo': {
    input: none,
    output: Type.Object({ png: Type.Optional(bytes) }, closed),
    right: 'signedIn',
  },
  'token.list': {
    input: none,
    output: Type.Object({ tokens: Type.Array(TokenView), organizations: Type.Array(text(64)) }, closed),
    right: 'tokens',
  },
} as const satisfies Record<string, Operation>;

export const SETTING_COMMANDS = {
  /** The text is shown once and kept nowhere. */
  'token.create': {
    input: Type.Object(
      {
        organization: text(64),
        label: text(256),
        scopes: Type.Array(Type.Enum([...SCOPES]), {
          minItems: 1,
          maxItems: SCOPES.length,
          uniqueItems: true,
        }),
        /** 0: for ever. */
        lifeDays: Type.Integer({ minimum: 0, maximum: 36_500 }),
      },
      closed,
    ),
    output: Type.Object({ text: Type.String() }, closed),
    right: 'tokens',
  },
  'token.revoke': { input: Type.Object({ tokenId: Type.Integer() }, closed), output: none, right: 'tokens' },
  /** PNG; absent: none from now on. */
  'setting.changeLogo': {
    input: Type.Object({ png: Type.Optional(bytes) }, closed),
    output: none,
    right: 'settings',
  },
  'setting.change': {
    input: Type.Object({ key: text(64), text: text(1024) }, closed),
    output: none,
    right: 'settings',
  },
} as const satisfies Record<string, Operation>;
