// What the domain needs of the store: one interface an aggregate, declared by the domain. The store imports
// this file; it imports nothing of the store.

import type { AuditStore } from './audit.ts';
import type { BackupStore } from './backups/store.ts';
import type { OrderStore } from './orders/store.ts';
import type { ConnectionStore, OutboxStore } from './outbox/store.ts';
import type { PatientStore } from './patients/store.ts';
import type { OrganizationStore, PhraseStore, TokenStore, UserStore } from './people/store.ts';
import type { SeatStore } from './seats/store.ts';
import type { DeskDeviceStore, DeviceStore, StreamStore } from './streams/store.ts';
import type {
  ChannelChoiceStore,
  ConsultationStore,
  DownloadStore,
  ErasureStore,
  FindingStore,
  RecordingStore,
  ReportStore,
  ReviewDraftStore,
  TaskStore,
} from './tasks/store.ts';
import type { UpdateStore } from './updates/store.ts';
import type { UploadStore } from './uploads/store.ts';

export interface SettingStore {
  all(): ReadonlyMap<string, string>;
  set(key: string, text: string, nowMs: number): void;
}

export interface Store {
  readonly organizations: OrganizationStore;
  readonly tokens: TokenStore;
  readonly uploads: UploadStore;
  readonly patients: PatientStore;
  readonly recordings: RecordingStore;
  readonly tasks: TaskStore;
  readonly streams: StreamStore;
  readonly devices: DeviceStore;
  readonly deskDevices: DeskDeviceStore;
  readonly channelChoices: ChannelChoiceStore;
  readonly downloads: DownloadStore;
  readonly findings: FindingStore;
  readonly reports: ReportStore;
  readonly reviewDrafts: ReviewDraftStore;
  readonly consultations: ConsultationStore;
  readonly phrases: PhraseStore;
  readonly users: UserStore;
  readonly seats: SeatStore;
  readonly orders: OrderStore;
  readonly backups: BackupStore;
  readonly updates: UpdateStore;
  readonly settings: SettingStore;
  readonly connections: ConnectionStore;
  readonly outbox: OutboxStore;
  readonly audit: AuditStore;
  readonly erasure: ErasureStore;
  readonly installationId: string;
  /** What tells this copy of the data from another; undefined where none was ever given. */
  nonce(): string | undefined;
  /** This is another copy from now on. */
  setNonce(nonce: string, installationId?: string): void;
  /** One `BEGIN IMMEDIATE` transaction around a plain function: all of it or nothing. */
  transaction<T>(change: () => T): T;
  /** Changes whenever another connection has committed. */
  dataVersion(): number;
}
