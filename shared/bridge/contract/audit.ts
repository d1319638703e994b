// The audit trail, for those who may look into it.

import { Type } from 'typebox';
import { AUDIT_KINDS } from '../../audit-actions.ts';
import { bytes, closed, none, text } from '../fields.ts';
import { AuditEntryView, AuditState } from '../views.ts';
import type { Operation } from './operation.ts';

const filter = {
  kind: Type.Optional(Type.Enum([...AUDIT_KINDS])),
  /** `user:2`, `token:3`, `program` … */
  actor: Type.Optional(text(64)),
  /** `task:17` … */
  subject: Type.Optional(text(64)),
  sinceMs: Type.Optional(Type.Number()),
  /** In action, subject or detail, or of the patient. */
  text: Type.Optional(text(100)),
  /** Actions whose names on the screen match the words; their entries are found as well. */
  orActions: Type.Optional(Type.Array(text(64), { maxItems: 100 })),
};

export const AUDIT_QUERIES = {
  'audit.state': { input: none, output: AuditState, right: 'audit' },
  /** Newest first. A page may hold less than there is room for: `nextBeforeSeq` tells whether it goes on. */
  'audit.list': {
    input: Type.Object(
      {
        ...filter,
        beforeSeq: Type.Optional(Type.Integer({ minimum: 1 })),
        limit: Type.Integer({ minimum: 1, maximum: 200 }),
      },
      closed,
    ),
    output: Type.Object(
      { entries: Type.Array(AuditEntryView), nextBeforeSeq: Type.Optional(Type.Integer()) },
      closed,
    ),
    right: 'audit',
  },
} as const satisfies Record<string, Operation>;

export const AUDIT_COMMANDS = {
  /** Answers when everything was looked at. */
  'audit.check': { input: none, output: AuditState, right: 'audit' },
  /** CSV, newest first. */
  'audit.export': {
    input: Type.Object(filter, closed),
    output: Type.Object({ csv: bytes }, closed),
    right: 'audit',
  },
} as const satisfies Record<string, Operation>;
