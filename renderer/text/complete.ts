// What has to have words in both languages has them, or this does not compile: reasons of errors, actions of the audit, settings
// of the screens, and how things on their way are.

import type { AuditAction } from '../../shared/audit-actions.ts';
import type { ConnectionKind } from '../../shared/connections/connections.ts';
import type { WrongField } from '../../shared/connections/wrong-field.ts';
import type { Reason } from '../../shared/errors.ts';
import type { OrderTrouble } from '../../shared/order.ts';
import type { ConnectionTrouble, ItemCause, ItemState } from '../../shared/sync-state.ts';
import type { TaskState } from '../../shared/task-state.ts';
import type { SHOWN_SETTINGS } from '../screens/settings/shown-settings.ts';

type English = typeof import('./en.json');
type Spanish = typeof import('./es.json');

/** Keys of the catalogue have no dots of their own. */
type KeyOf<Name extends string> = Name extends `${infer Head}.${infer Rest}`
  ? `${Head}_${KeyOf<Rest>}`
  : Name;
type ShownSetting = (typeof SHOWN_SETTINGS)[keyof typeof SHOWN_SETTINGS][number];

/** A text for each of these names. */
type Words<Name extends string> = Readonly<Record<Name, string>>;

interface Complete {
  readonly error: Words<Reason>;
  readonly state: Words<TaskState>;
  readonly audit: { readonly action: Words<KeyOf<AuditAction>> };
  readonly settings: {
    readonly name: Words<KeyOf<ShownSetting>>;
    readonly effect: Words<KeyOf<ShownSetting>>;
  };
  readonly order: { readonly trouble: Words<OrderTrouble> };
  readonly connection: {
    readonly wrong: Words<WrongField>;
    readonly any: {
      readonly trouble: Words<ConnectionTrouble>;
      readonly cause: Words<ItemCause>;
      readonly next: Words<ItemState>;
    };
  } & Readonly<Record<ConnectionKind, Words<'title' | 'text' | 'setUp' | 'connect'>>>;
}

/** Compiles for catalogues that are complete alone. */
type Checked<Catalogue extends Complete> = Catalogue;

export type CompleteCatalogues = readonly [Checked<English>, Checked<Spanish>];
