// Patient entry: say who lies on the couch, surely and fast (screens, S1); or, later, who it was (assigning
// an emergency recording).

import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownPatient, OrderView } from '../../../shared/bridge/views.ts';
import { useBridge, useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { EMPTY_FORM, type FormField } from '../../entry/patient-form.ts';
import { useEntry } from '../../entry/use-entry.tsx';
import { EmergencyButton } from '../../parts/emergency.tsx';
import { recordedTime } from '../../parts/format-time.ts';
import { goOn } from '../../parts/go-on.ts';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { useDesk } from '../../parts/use-desk.ts';
import { useCommands, useScannedCode } from '../../parts/use-keys.ts';
import { subjectOf, WhoseRecording } from '../../parts/whose-recording.tsx';
import { ChosenOrder } from './chosen-order.tsx';
import { IdentityCheck } from './identity-check.tsx';
import { formOfKnown } from './known-patient.ts';
import { formOfOrder } from './order-list.tsx';
import classes from './patient.module.css';
import { PatientFormView } from './patient-form-view.tsx';
import { PatientSearch } from './patient-search.tsx';

/** The second Esc within this time clears the form. */
const ESC_TWICE_MS = 3000;

/** What is wrong with a field is said when it is left, and all of it when somebody wants to start. */
function useShown(): {
  isShown(field: FormField): boolean;
  leave(field: FormField): void;
  showAll(): void;
  hideAll(): void;
} {
  const [left, setLeft] = useState<ReadonlySet<FormField>>(new Set());
  const [isAll, setAll] = useState(false);
  return {
    isShown: (field) => isAll || left.has(field),
    leave: (field) => setLeft((before) => new Set([...before, field])),
    showAll: () => setAll(true),
    hideAll: () => {
      setAll(false);
      setLeft(new Set());
    },
  };
}

function focusField(field: string): void {
  document.querySelector<HTMLElement>(`[data-field="${field}"] input`)?.focus();
}

/** The code of a wristband is a number of a patient, or it is looked for. */
const isNumber = (code: string, number: string | undefined): boolean =>
  number?.replaceAll(' ', '') === code.replaceAll(' ', '');

interface PatientScreenProps {
  /** The recording whose patient is being said; undefined for one to come. */
  readonly assignTaskId: number | undefined;
  /** What was scanned on another screen. */
  readonly scanned?: string | undefined;
  onScanTaken?(): void;
}

interface Choosing {
  /** What is typed into the search. */
  readonly text: string;
  /** Who was chosen from those who are known here. */
  readonly chosen: KnownPatient | undefined;
  /** The same, while height and weight of back then have to be looked at. */
  readonly measured: KnownPatient | undefined;
  setText(text: string): void;
  fill(known: KnownPatient): void;
  take(order: OrderView): void;
  begin(): void;
  clear(): void;
  lookUp(code: string): void;
  forgetMeasured(): void;
}

/** Fills the form: with a known patient, with that of an order, with a new name, with nobody. */
function useChoosing(shown: ReturnType<typeof useShown>): Choosing {
  const entry = useEntry();
  const bridge = useBridge();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<KnownPatient | undefined>();
  const [measured, setMeasured] = useState<KnownPatient | undefined>();
  const startOver = (known?: KnownPatient): void => {
    setChosen(known);
    setMeasured(known?.measuredMs === undefined ? undefined : known);
    shown.hideAll();
    setText('');
  };
  const fill = (known: KnownPatient): void => {
    entry.send(formOfKnown(entry.state, known));
    startOver(known);
  };
  const lookUp = async (code: string): Promise<void> => {
    const { patients } = await bridge
      .call('patient.search', { text: code, dateOrder: entry.dateOrder })
      .catch(() => ({ patients: [] }));
    const [known, ...others] = patients.filter(({ patient }) => isNumber(code, patient.id));
    if (known !== undefined && others.length === 0) fill(known);
    else setText(code);
  };
  return {
    text,
    chosen,
    measured,
    setText,
    fill,
    take({ orderId, facts }) {
      const order = { orderId, patient: facts.patient, number: facts.orderNumber, time: facts.time };
      entry.send({ kind: 'filled', form: formOfOrder(facts), order });
      startOver();
    },
    begin() {
      entry.send({ kind: 'filled', form: { ...EMPTY_FORM, lastName: text.trim() } });
      startOver();
      setTimeout(() => focusField('lastName'));
    },
    clear() {
      entry.send({ kind: 'cleared' });
      startOver();
    },
    lookUp: (code) => void lookUp(code),
    forgetMeasured: () => setMeasured(undefined),
  };
}

export function PatientScreen({ assignTaskId, scanned, onScanTaken }: PatientScreenProps): ReactNode {
  const { t } = useTranslation();
  const entry = useEntry();
  const shown = useShown();
  const { order } = entry;
  const search = useRef<HTMLInputElement>(null);
  const choosing = useChoosing(shown);
  const isAssigning = assignTaskId !== undefined;
  const escMs = useRef(0);
  useEffect(() => search.current?.focus(), []);
  useScannedCode(choosing.lookUp);
  useScanFromElsewhere(scanned, (code) => {
    onScanTaken?.();
    choosing.lookUp(code);
  });
  const clear = (): void => {
    choosing.clear();
    search.current?.focus();
  };
  const pressEsc = (): void => {
    if (Date.now() - escMs.current < ESC_TWICE_MS) clear();
    escMs.current = Date.now();
  };
  useCommands('patient', {
    newPatient: choosing.begin,
    search: () => search.current?.focus(),
    clear: pressEsc,
  });
  const showOpen = (): void => {
    shown.showAll();
    const problem = entry.open.find((point) => point.kind === 'problem');
    if (problem?.kind === 'problem') focusField(problem.problem.field);
  };
  return (
    <div className={classes.screen}>
      <PatientSearch
        search={search}
        text={choosing.text}
        onText={choosing.setText}
        onChosen={choosing.fill}
        onOrder={isAssigning ? undefined : choosing.take}
        onNew={choosing.begin}
        onLookUp={choosing.lookUp}
        emergency={isAssigning ? null : <EmergencyButton />}
      />
      <section className={classes.middle} aria-label={t('entry.title')}>
        <div className={classes.middleHead}>
          <h2 className={classes.title}>{t(isAssigning ? 'entry.assignTitle' : 'entry.title')}</h2>
          {order !== undefined && <ChosenOrder order={order} onGone={clear} />}
        </div>
        {isAssigning && <AssignedRecording taskId={assignTaskId} />}
        {choosing.measured !== undefined && (
          <Measured known={choosing.measured} onDone={choosing.forgetMeasured} />
        )}
        <PatientFormView isAssigning={isAssigning} isShown={shown.isShown} onLeave={shown.leave} />
      </section>
      <IdentityCheck
        chosen={choosing.chosen}
        onShowField={(field) => {
          shown.showAll();
          focusField(field);
        }}
        onClear={clear}
        action={
          isAssigning ? (
            <AssignButton taskId={assignTaskId} onOpen={showOpen} onDone={clear} />
          ) : (
            <StartButton onOpen={showOpen} />
          )
        }
      />
    </div>
  );
}

function useScanFromElsewhere(scanned: string | undefined, onCode: (code: string) => void): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => {
    if (scanned !== undefined) latest.current(scanned);
  }, [scanned]);
}

/** What was measured before is offered with its date, never taken over. */
function Measured({ known, onDone }: { known: KnownPatient; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const { send } = useEntry();
  const { heightCm, weightG } = known.patient;
  const parts = [
    ...(heightCm === undefined ? [] : [`${heightCm} cm`]),
    ...(weightG === undefined ? [] : [`${weightG / 1000} kg`]),
  ];
  if (parts.length === 0) return null;
  const use = (): void => {
    send({
      kind: 'edited',
      change: {
        ...(heightCm !== undefined && { heightCm: String(heightCm) }),
        ...(weightG !== undefined && { weightKg: String(weightG / 1000) }),
      },
    });
    onDone();
  };
  return (
    <p className={classes.measured}>
      {t('entry.measured', {
        day: recordedTime(known.measuredMs ?? 0, true, undefined),
        values: parts.join(', '),
      })}
      <Button h={44} variant="default" onClick={use}>
        {t('entry.measuredUse')}
      </Button>
    </p>
  );
}

function StartButton({ onOpen }: { onOpen: () => void }): ReactNode {
  const { t } = useTranslation();
  const entry = useEntry();
  const { device } = useDesk();
  // A recording that runs is gone back to, whatever the form says.
  const isRecording = device?.recording !== undefined && !device.recording.isFinishing;
  const start = (): void => {
    if (entry.recordingEntry() === undefined && !isRecording) onOpen();
    else location.hash = '#/live';
  };
  useCommands('patient', { start, startToo: start });
  return (
    <Button h={56} variant={entry.open.length === 0 ? 'filled' : 'default'} size="lg" onClick={start}>
      <Icon name="live" />
      {t('entry.startLive')} <Key of="patient.startToo" />
    </Button>
  );
}

function AssignedRecording({ taskId }: { taskId: number }): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('task.get', { taskId });
  if (data?.taskId !== taskId) return null;
  return (
    <p className={classes.measured}>
      <WhoseRecording row={data} /> <span className="quiet">{t('entry.assignWhich', { id: taskId })}</span>
    </p>
  );
}

function AssignButton({
  taskId,
  onOpen,
  onDone,
}: {
  taskId: number;
  onOpen: () => void;
  onDone: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const entry = useEntry();
  const assign = useCommand('task.assign');
  const { data: row } = useBridgeQuery('task.get', { taskId });
  const [reason, setReason] = useState(t('entry.assignReasonUsual'));
  const run = async (): Promise<void> => {
    const said = entry.recordingEntry();
    if (said === undefined) {
      onOpen();
      return;
    }
    if (row?.taskId !== taskId) return;
    const of = subjectOf(row);
    const from = location.hash;
    if ((await assign.run({ taskId, entry: said, reason, of })) === undefined) return;
    onDone();
    goOn(from, `#/worklist/${taskId}`);
  };
  return (
    <>
      <TextInput
        size="md"
        label={t('reason.label')}
        value={reason}
        maxLength={1000}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {assign.trouble !== undefined && (
        <p role="alert" className={classes.error}>
          {assign.trouble}
        </p>
      )}
      <Button
        h={56}
        size="lg"
        loading={assign.isRunning}
        variant={entry.open.length === 0 ? 'filled' : 'default'}
        onClick={() => void run()}
      >
        {t('entry.assign')}
      </Button>
    </>
  );
}
