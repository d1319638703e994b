// Live leads: see the quality of the signal, mend electrodes, record (screens, S2). Never an interpretation
// while it is recorded.

import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { electrodesOf } from '../../../shared/signal/electrode.ts';
import { useLiveFindings } from '../../bridge/use-live-findings.ts';
import { useSetting } from '../../bridge/use-settings.ts';
import { useEntry } from '../../entry/use-entry.tsx';
import { MARKS } from '../../parts/electrode-table.ts';
import { Icon } from '../../parts/icon.tsx';
import { nameOf, type OpenPatient, patientFacts } from '../../parts/patient-line.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { GAINS_MM_PER_MV, SPEEDS_MM_PER_S, stepIn } from '../../parts/speed-and-gain.tsx';
import { useDesk } from '../../parts/use-desk.ts';
import { useCommands } from '../../parts/use-keys.ts';
import { DIAGNOSTIC, type DisplayFilter } from '../../trace/display-filter.ts';
import { LAYOUTS } from '../../trace/ecg-layout.ts';
import { useShownPatient } from '../../trace/kept-signal.tsx';
import classes from './live.module.css';
import { LiveField } from './live-field.tsx';
import { useLiveSettings } from './live-settings.ts';
import { LiveSide } from './live-side.tsx';
import { LiveToolbar } from './live-toolbar.tsx';
import { RecordBar } from './record-bar.tsx';
import { releasePressed } from './release-focus.ts';
import { SAVED_MS, useRecorder } from './use-recorder.ts';
import { useSettled } from './use-settled.ts';
import { useTone } from './use-tone.ts';

/** A picture that stands still is forgotten. */
const FROZEN_AT_MOST_MS = 120_000;

function NoDevice({ device }: { device: DeskDevice | undefined }): ReactNode {
  const { t } = useTranslation();
  const isDetecting = device?.state === 'detecting';
  return (
    <div className={classes.noDevice}>
      <Icon name="devices" size={64} />
      <h1>{isDetecting ? t('live.detecting', { name: device.name }) : t('live.noDevice')}</h1>
      <p className="quiet">{t('live.noDeviceText')}</p>
      <Button component="a" href="#/devices" h={56} size="lg">
        {t('live.toDevices')}
      </Button>
    </div>
  );
}

/** A filter other than the usual one is this patient's alone (E23). */
function usePatientFilter(): readonly [DisplayFilter, (filter: DisplayFilter) => void] {
  const mains = useSetting('display.mainsFilter');
  const { isEmpty } = useEntry();
  const usual: DisplayFilter = { ...DIAGNOSTIC, mainsHz: mains === '50' ? 50 : mains === '60' ? 60 : 0 };
  const [chosen, setChosen] = useState<DisplayFilter | undefined>();
  useEffect(() => {
    if (isEmpty) setChosen(undefined);
  }, [isEmpty]);
  return [chosen ?? usual, setChosen];
}

/** A picture that stands still. Another patient, or a recording that begins, makes it run again. */
function useFreeze(patientNumber: number, isRecording: boolean): readonly [boolean, () => void] {
  const [isFrozen, setFrozen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect answers to a change of patient; it needs nothing of the number
  useEffect(() => setFrozen(false), [patientNumber]);
  useEffect(() => {
    if (isRecording) setFrozen(false);
  }, [isRecording]);
  useEffect(() => {
    if (!isFrozen) return;
    const timer = setTimeout(() => setFrozen(false), FROZEN_AT_MOST_MS);
    return () => clearTimeout(timer);
  }, [isFrozen]);
  return [isFrozen, () => setFrozen(!isFrozen)];
}

/** As it stands on the strip (E4). */
function useWhose(open: OpenPatient): string {
  const patient = open.kind === 'patient' ? open.patient : {};
  const [name, facts] = [nameOf(patient), patientFacts(patient)];
  return open.kind === 'patient' ? `${name} · ${facts}` : open.text;
}

interface LiveScreenProps {
  /** Whose signal it is. */
  readonly open: OpenPatient;
}

export function LiveScreen({ open }: LiveScreenProps): ReactNode {
  const { device, hasSignal, devices } = useDesk();
  if (devices === undefined) return null;
  return device === undefined || !hasSignal ? (
    <NoDevice device={device} />
  ) : (
    <LiveLeads device={device} open={open} />
  );
}

function LiveLeads({ device, open }: LiveScreenProps & { device: DeskDevice }): ReactNode {
  const { t } = useTranslation();
  const whose = useWhose(open);
  const findings = useLiveFindings(device.id);
  const control = useRecorder(device);
  const [settings, change] = useLiveSettings();
  const [filter, setFilter] = usePatientFilter();
  const { isFinished, isRecording } = control;
  const [isFrozen, toggleFrozen] = useFreeze(useShownPatient(), isRecording);
  const [lead, setLead] = useState(1);
  const [discarding, setDiscarding] = useState<number | undefined>();
  const code = useSetting('display.electrodeCode') === 'AHA' ? 'AHA' : 'IEC';
  useTone(device.id, settings.isToneOn);

  const finish = (): void => {
    const taskId = control.finished?.taskId;
    // The past is forgotten behind it: whoever goes elsewhere meanwhile is not brought back.
    void control.finishPatient();
    location.hash = taskId === undefined ? '#/worklist' : `#/worklist/${taskId}`;
  };
  // A recording is shown up to a tenth of a second after it was begun; until then a press would ask for
  // another one.
  const { isSettled, onClickCapture } = useSettled(
    isFinished ? 'finished' : isRecording ? 'recording' : control.isBusy ? 'asked' : 'idle',
  );
  useCommands('live', {
    // Pressed twice it neither stops what has just begun nor begins another one; behind a recording somebody
    // has to say whether the same patient still lies there.
    record: () => {
      if (!isSettled()) return;
      // Whatever else waits for a slow disk: a recording can be stopped.
      if (isRecording) void control.stop();
      else if (!control.isBusy && !isFinished) void control.record(SAVED_MS);
    },
    saveLast: () => void control.saveLast(),
    freeze: toggleFrozen,
    mark: isRecording ? () => void control.mark() : undefined,
    tone: () => change({ isToneOn: !settings.isToneOn }),
    mode: () => change({ mode: settings.mode === 'sweep' ? 'scroll' : 'sweep' }),
    layout1: () => change({ kind: LAYOUTS[0] }),
    layout2: () => change({ kind: LAYOUTS[1] }),
    layout3: () => change({ kind: LAYOUTS[2] }),
    layout4: () => change({ kind: LAYOUTS[3] }),
    nextLead: settings.kind === 'single' ? () => setLead(lead + 1) : undefined,
    previousLead: settings.kind === 'single' ? () => setLead(Math.max(0, lead - 1)) : undefined,
    taller: () => change({ gainMmPerMv: stepIn(GAINS_MM_PER_MV, settings.gainMmPerMv, 1) }),
    lower: () => change({ gainMmPerMv: stepIn(GAINS_MM_PER_MV, settings.gainMmPerMv, -1) }),
    faster: () => change({ speedMmPerS: stepIn(SPEEDS_MM_PER_S, settings.speedMmPerS, 1) }),
    slower: () => change({ speedMmPerS: stepIn(SPEEDS_MM_PER_S, settings.speedMmPerS, -1) }),
    finish: isFinished ? finish : undefined,
    repeat: isFinished ? () => control.dismiss() : undefined,
    discard: isFinished ? () => setDiscarding(control.finished?.taskId) : undefined,
  });

  const off = electrodesOf(device.electrodesOff).map((electrode) => MARKS[code][electrode].label);
  const description = [
    t('live.described', { count: device.leads.length, rate: findings?.heartRateBpm ?? '--' }),
    ...(off.length === 0 ? [] : [t('live.pictureOff', { electrodes: off.join(', ') })]),
  ].join(' ');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: nothing happens here that a key could do; a click only gives back the focus
    <div className={classes.screen} onClick={releasePressed}>
      <h1 className={classes.unseen}>{t('rail.live')}</h1>
      <div className={classes.column}>
        <LiveToolbar settings={settings} onChange={change} filter={filter} onFilter={setFilter} />
        <LiveField
          device={device}
          settings={settings}
          filter={filter}
          isFrozen={isFrozen}
          lead={lead}
          whose={whose}
          description={description}
        />
        <RecordBar
          device={device}
          control={control}
          pastMs={findings?.pastMs ?? 0}
          isFrozen={isFrozen}
          onClickCapture={onClickCapture}
          onFreeze={toggleFrozen}
          onDone={finish}
          onDiscard={setDiscarding}
        />
      </div>
      <LiveSide
        device={device}
        findings={findings}
        code={code}
        isToneOn={settings.isToneOn}
        filter={filter}
        onFilter={setFilter}
      />
      {discarding !== undefined && (
        <ReasonDialog
          command="task.delete"
          taskId={discarding}
          title={t('live.discardTitle')}
          text={t('live.discardText')}
          action={t('live.discardAction')}
          reasons={[t('reason.badSignal'), t('reason.wrongPatient'), t('reason.test')]}
          onClose={(isGone) => {
            setDiscarding(undefined);
            if (isGone) control.dismiss();
          }}
        />
      )}
    </div>
  );
}
