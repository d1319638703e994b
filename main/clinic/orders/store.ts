// What the domain needs of the store for orders.

import type { OrderFacts } from '../../../shared/order.ts';
import type { Order, OrderFile, UnreadOrderFile } from './records.ts';

export interface OrderStore {
  isKnown(key: string): boolean;
  add(file: OrderFile, organizationId: number, readMs: number): number;
  /** With this number, the oldest first, without those that were put away. */
  ofNumber(organizationId: number, number: string, limitMs: number): Order[];
  /** The very same order is there. */
  hasSame(organizationId: number, facts: OrderFacts): boolean;
  byId(id: number): Order | undefined;
  ofTask(taskId: number): Order[];
  /** Newest first, without those that were put away. */
  since(limitMs: number): Order[];
  /** The orders of a format, also those that were put away, the oldest first. */
  ofFormat(format: OrderFacts['format'], limitMs: number): Order[];
  /** By the addresses of their requests, also those that were put away. */
  ofRequests(urls: readonly string[]): Order[];
  /** Requests that were read before then, neither put away nor recorded. */
  openRequests(limitMs: number): Order[];
  unread(limitMs: number): UnreadOrderFile[];
  link(id: number, taskId: number): void;
  unlink(id: number, taskId: number): void;
  /** With a report that the practice system does not have yet. */
  unanswered(): Order[];
  setAnswered(id: number, taskId: number): void;
  /** Another report of the task counts from now on. */
  answerAgain(taskId: number): void;
  /** It was changed by whoever asked, before anything was recorded for it. */
  setFacts(id: number, facts: OrderFacts): void;
  putAway(id: number): void;
  putFileAway(id: number): void;
  /** Whether names are kept from then. @param requestLimitMs of requests of FHIR servers */
  isAnyBefore(limitMs: number, requestLimitMs: number): boolean;
  /** Names of patients and of files go. @param requestLimitMs as above @returns of how many files */
  forgetBefore(limitMs: number, requestLimitMs: number): number;
}
