// Where recordings and results go, and what is on its way there.

import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { ConnectionKind } from '../../../shared/sync-state.ts';
import type { StatedTask } from '../../../shared/task-fields.ts';
import type { Item } from './item.ts';
import type { Upstream } from './upstream.ts';

/** An archive, as DICOM names it. */
export interface Archive {
  /** What it is called (AE title). */
  readonly title: string;
  /** It says what it keeps (storage commitment); undefined until it was asked for that. */
  readonly isConfirming?: boolean;
}

/** A hospital information system that takes results (HL7), as the messages name it. */
export interface ResultsReceiver {
  readonly application: string;
  readonly facility: string;
}

/** A server that takes results as FHIR, and may have orders. Where it asks for a client, the secret of that is kept as a token is. */
export interface FhirServer {
  /** Whose numbers the patients' are, as a URI; empty where nobody says. */
  readonly patientSystem: string;
  /** Empty: it lets everybody in. */
  readonly clientId: string;
  /** Where the client gets its tokens. */
  readonly tokenUrl: string;
  /** The parameters of the search that finds our orders there; where there are none, nobody asks for any. */
  readonly orders?: string;
}

/**
 * A central service, an archive or a hospital information system that recordings of an organization go to. The
 * token of a central service is kept elsewhere.
 */
export interface Connection {
  readonly id: number;
  readonly label: string;
  /**
   * `https://…` of a central service or a FHIR server; `dicom://host:port` of an archive, `mllp://host:port` of a hospital information system,
   * `dicoms://` and `mllps://` with TLS.
   */
  readonly url: string;
  /** What is special to an archive. */
  readonly archive: Archive | undefined;
  /** What is special to a hospital information system. */
  readonly results: ResultsReceiver | undefined;
  readonly fhir: FhirServer | undefined;
  readonly organizationId: number;
  /** What the organization is called there. */
  readonly organizationPath: string;
  /** Trusted beside those of the system, PEM. */
  readonly certificates: string | undefined;
  /** A connection of a hospital also gets what no physician has read, marked as such. */
  readonly takesUnread: boolean;
  /** It is another workstation: the same creation twice makes one task (D46). */
  readonly isIdempotent: boolean;
  /** A test there has shown that streams work (D123). */
  readonly isStreamProven: boolean;
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

export type SentPatient = Pick<PatientFacts, 'id' | 'lastName' | 'firstName' | 'birthDate' | 'gender'>;

/** The centre's own report, beside ours. */
export interface CentralReport {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly fetchedMs: number;
}

export function kindOf({
  archive,
  results,
  fhir,
}: Pick<Connection, 'archive' | 'results' | 'fhir'>): ConnectionKind {
  if (archive !== undefined) return 'archive';
  if (fhir !== undefined) return 'fhir';
  return results === undefined ? 'central' : 'results';
}
