// Where recordings and results go, and what is on its way there.

import type { Proven } from '../../../shared/connections/connection-facts.ts';
import { type ConnectionTo, factsOf } from '../../../shared/connections/connections.ts';
import type { ChannelChoice } from '../../../shared/signal/channel-choice.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { StatedTask } from '../../ground/task-fields.ts';
import type { Item } from './item.ts';
import type { Upstream } from './upstream.ts';

/**
 * A central service, an archive or a hospital system that the recordings of an organization, or their results, go to.
 * Its token or secret is kept elsewhere.
 */
export interface Connection {
  readonly id: number;
  readonly label: string;
  /** What it is, and where. */
  readonly to: ConnectionTo;
  readonly organizationId: number;
  /** A hospital also gets what no physician has read, marked as such. */
  readonly takesUnread: boolean;
  readonly proven: Proven;
  readonly upstream: Upstream;
  readonly lastContactMs: number | undefined;
}

/** A task on its way to a centre. */
export interface OutboxEntry {
  readonly item: Item;
  readonly connectionId: number;
  readonly taskId: number;
  /** Under which people find it there (D122): of the installation by which it was made. */
  readonly marker: string;
  /** Unique to the recording, for the stream way (D125). */
  readonly deviceId: string;
  /** SHA-256 of the recording, where it is known. */
  readonly content: string | undefined;
  /** Whom the centre was told that it is of, once it was. */
  readonly sent: SentPatient | undefined;
  /** What the centre is to make, as it was intended: a repeat is the same. */
  readonly stated: StatedTask | undefined;
  /** Number of the task there in whose place this one is sent. */
  readonly replaces: string | undefined;
  readonly changedMs: number;
}

export type SentPatient = Pick<PatientFacts, 'id' | 'lastName' | 'firstName' | 'birthDate' | 'gender'> & {
  /** Which channels are read, where a person has chosen them: the recording there is another one otherwise. */
  readonly channels?: ChannelChoice;
};

/** The centre's own report, beside ours. */
export interface CentralReport {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly fetchedMs: number;
}

/** Recordings go there, whose reports come back; results of read ones go anywhere else. */
export const takesRecordings = ({ to }: Pick<Connection, 'to'>): boolean =>
  factsOf(to).takes === 'recordings';
