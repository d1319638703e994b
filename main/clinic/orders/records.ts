// Examinations that a practice system asks for.

import type { EndedOrder, OrderFacts } from '../../../shared/order.ts';
import type { TaskState } from '../../../shared/task-state.ts';

/** A file of the watched folder, as it was read. */
export interface OrderFile {
  /** By which it is known again: of its name, content and time. */
  readonly key: string;
  readonly name: string;
  readonly orders: readonly OrderFacts[];
  readonly characterSet?: string;
  /** What of it could not be read, in one sentence. */
  readonly trouble?: string;
}

/** What one message of a hospital says. */
export interface OrderMessage {
  readonly orders: readonly OrderFacts[];
  readonly ended: readonly EndedOrder[];
}

/** An examination that a practice system asks for. */
export interface Order {
  readonly id: number;
  readonly organizationId: number;
  readonly facts: OrderFacts;
  readonly readMs: number;
  readonly characterSet: string | undefined;
  /** Recordings for it, the oldest first, and whether the practice system has their results. */
  readonly tasks: readonly { readonly id: number; readonly state: TaskState; readonly isAnswered: boolean }[];
}

export interface UnreadOrderFile {
  readonly id: number;
  readonly name: string;
  readonly readMs: number;
  readonly trouble: string;
}
