// The device, or the simulator, and a recording of ten seconds that shows the whole way.

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../shared/bridge/contract.ts';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { Icon } from '../../parts/icon.tsx';
import { SimulatedTag } from '../../parts/simulated-tag.tsx';
import { Strip } from '../../parts/strip.tsx';
import { useDesk } from '../../parts/use-desk.ts';
import { useWidth } from '../../parts/use-width.ts';
import { StateChip } from '../devices/state-chip.tsx';
import classes from './first-start.module.css';
import type { StepProps } from './step-props.ts';

const TEST_MS = 10_000;
const SIMULATOR = 'simulator:isoline-idp?rhythm=sinus';
/** Nobody's: it says itself what it is, in every list and on the report. */
const TEST_PERSON = {
  fields: { patient_last_name: 'Test', patient_first_name: 'Isoline', patient_id: 'TEST' },
  identity: { name: 'said', birth: 'said' },
} as const;

const TESTED: CallInput<'task.list'> = {
  limit: 1,
  text: TEST_PERSON.fields.patient_id,
  states: ['AWAITING_APPROVAL', 'COMPLETED'],
};

function FoundDevice({ device }: { device: DeskDevice }): ReactNode {
  return (
    <div className={classes.field}>
      <Icon name="devices" size={28} />
      <span className={classes.words}>
        <b>
          {device.name} {device.isSimulated && <SimulatedTag />}
        </b>
        <small>{device.adapter ?? device.port}</small>
      </span>
      <StateChip device={device} />
    </div>
  );
}

function ResultStrip({ taskId }: { taskId: number }): ReactNode {
  const { ref, widthPx } = useWidth();
  return (
    <div ref={ref} className={classes.strip}>
      {widthPx > 0 && <Strip taskId={taskId} widthPx={widthPx} heightPx={72} seconds={10} />}
    </div>
  );
}

/** What has become of it: as far as a report. */
function TestResult({ taskId }: { taskId: number }): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('task.get', { taskId });
  if (data === undefined || data.state === 'RECEIVING' || data.durationMs === undefined) return null;
  const isReady = data.state === 'AWAITING_APPROVAL' || data.state === 'COMPLETED';
  return (
    <div className={classes.card}>
      <div className={classes.result} role="status">
        <Icon name={isReady ? 'check' : 'clock'} size={20} />
        <b>
          {t(isReady ? 'start.device.ready' : 'start.device.working', {
            seconds: Math.round(data.durationMs / 1000),
            leads: data.leadCount ?? 0,
          })}
        </b>
        {isReady && <a href={`#/report/${taskId}`}>{t('start.device.report')}</a>}
      </div>
      {isReady && <ResultStrip taskId={taskId} />}
    </div>
  );
}

export function DeviceStep({ formId, onSubmit }: StepProps): ReactNode {
  const { t } = useTranslation();
  const { device, devices, hasSignal } = useDesk();
  const connect = useCommand('desk.connect');
  const record = useCommand('desk.record');
  const [taskId, setTaskId] = useState<number | undefined>();
  // A recording may be from now, or from an earlier try; an import proves no device.
  const { data: list } = useBridgeQuery('task.list', TESTED);
  const isTested = (list?.total ?? 0) > 0;
  const [isMissing, setMissing] = useState(false);
  const isRecording = device?.recording !== undefined;
  const test = async (): Promise<void> => {
    if (device === undefined) return;
    const begun = await record.run({ id: device.id, entry: TEST_PERSON, durationMs: TEST_MS });
    if (begun !== undefined) setTaskId(begun.taskId);
  };
  const trouble = connect.trouble ?? record.trouble;
  return (
    <form
      id={formId}
      onSubmit={(event) =>
        onSubmit(event, async () => {
          setMissing(!isTested);
          return isTested;
        })
      }
    >
      <div className={classes.card}>
        {device === undefined ? <p>{t('devices.noneRemedy')}</p> : <FoundDevice device={device} />}
        <div className={classes.buttons}>
          <Button
            h={48}
            disabled={!hasSignal || isRecording}
            loading={isRecording}
            leftSection={<Icon name="live" />}
            onClick={() => void test()}
          >
            {t('start.device.test')}
          </Button>
          {devices?.some(({ isSimulated }) => isSimulated) === false && (
            <Button
              h={48}
              variant="default"
              loading={connect.isRunning}
              onClick={() => void connect.run({ port: SIMULATOR })}
            >
              {t('start.device.simulator')}
            </Button>
          )}
        </div>
        {trouble !== undefined && (
          <p role="alert" className={classes.trouble}>
            {trouble}
          </p>
        )}
      </div>
      {taskId !== undefined && <TestResult taskId={taskId} />}
      {isMissing && !isTested && (
        <p role="alert" className={classes.hint}>
          {t('start.device.first')}
        </p>
      )}
    </form>
  );
}
