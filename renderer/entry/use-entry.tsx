// Who lies on the couch, for all screens: the patient's form and what was confirmed of it. One at a time;
// nothing of it stays behind for the next patient. Saying later who it was has an entry of its own.

import { createContext, type ReactNode, useContext, useMemo, useReducer } from 'react';
import type { KnownPatient } from '../../shared/bridge/views.ts';
import { zonedTime } from '../../shared/civil-time.ts';
import { fitsOrder } from '../../shared/entry/order-fit.ts';
import type { RecordingEntry } from '../../shared/entry/recording-entry.ts';
import { type DateOrder, dateOrderOf } from '../../shared/entry/typed-date.ts';
import type { TaskRequest } from '../../shared/v3/v3.ts';
import { useBridgeQuery } from '../bridge/use-bridge.tsx';
import { patientWords } from '../parts/patient-line.tsx';
import { useNow } from '../parts/use-now.ts';
import {
  type ChosenOrder,
  EMPTY_ENTRY,
  type EntryEvent,
  type EntryState,
  nextEntry,
  type OpenPoint,
  openPoints,
} from './entry-state.ts';
import { EMPTY_FORM, type ReadForm, readForm } from './patient-form.ts';

/** Identity and problems change by the passing of time alone. */
const LOOK_AGAIN_MS = 10_000;

export interface OpenEntry {
  readonly state: EntryState;
  readonly read: ReadForm;
  /** What has to be done before it can be recorded. */
  readonly open: readonly OpenPoint[];
  /** Known patients who may be the same person. */
  readonly similar: readonly KnownPatient[];
  readonly isEmpty: boolean;
  /** What it is recorded for; nothing any more where the form became somebody else's. */
  readonly order: ChosenOrder | undefined;
  readonly dateOrder: DateOrder;
  send(event: EntryEvent): void;
  /** What the workstation is told; undefined as long as something is open. */
  recordingEntry(): RecordingEntry | undefined;
}

/** The time zone of this computer. */
export const OWN_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const EntryContext = createContext<OpenEntry | undefined>(undefined);

const NOBODY: readonly KnownPatient[] = [];

function useSimilar(request: TaskRequest): readonly KnownPatient[] {
  const patient = {
    ...(request.patient_last_name !== undefined && { lastName: request.patient_last_name }),
    ...(request.patient_first_name !== undefined && { firstName: request.patient_first_name }),
    ...(request.patient_birth_date !== undefined && { birthDate: request.patient_birth_date }),
    ...(request.patient_id !== undefined && { id: request.patient_id }),
  };
  const isKnowable =
    patient.id !== undefined || (patient.birthDate !== undefined && patient.lastName !== undefined);
  const { data } = useBridgeQuery('patient.similar', { patient }, { isEnabled: isKnowable });
  return isKnowable ? (data?.patients ?? NOBODY) : NOBODY;
}

/** One entry: who lies on the couch now, or, in a provider of its own, who it was. */
export function EntryProvider({ children }: { children: ReactNode }): ReactNode {
  const [state, send] = useReducer(nextEntry, EMPTY_ENTRY);
  const nowMs = useNow(LOOK_AGAIN_MS);
  const dateOrder = dateOrderOf(navigator.language);
  const read = useMemo(
    () => readForm(state.form, { dateOrder, nowMs, today: zonedTime(nowMs).isoDay, timeZone: OWN_TIME_ZONE }),
    [state.form, dateOrder, nowMs],
  );
  const similar = useSimilar(read.request);
  const entry = useMemo((): OpenEntry => {
    const open = openPoints(state, read.problems, similar, nowMs);
    const { order } = state;
    const isFitting = order !== undefined && fitsOrder(order.patient, patientWords(read.request));
    return {
      state,
      read,
      open,
      similar,
      isEmpty: state.form === EMPTY_FORM,
      dateOrder,
      order: isFitting ? order : undefined,
      send,
      recordingEntry() {
        if (
          openPoints(state, read.problems, similar, Date.now()).length > 0 ||
          state.name === undefined ||
          state.birth === undefined
        )
          return undefined;
        const {
          upload_id: _upload,
          device_id: _device,
          recording_start_time: _start,
          ...fields
        } = read.request;
        return {
          fields,
          identity: { name: state.name.proof, birth: state.birth.proof },
          ...(isFitting && { orderId: order.orderId }),
        };
      },
    };
  }, [state, nowMs, read, similar, dateOrder]);
  return <EntryContext value={entry}>{children}</EntryContext>;
}

export function useEntry(): OpenEntry {
  const entry = useContext(EntryContext);
  if (entry === undefined) throw new Error('there is no entry above this part');
  return entry;
}
