// How high the report is drawn, where waves are so large that rows would cross: kept with the reading, like a correction.

import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { PAPER_GAINS, type PaperGain } from '../../../shared/review/paper-gain.ts';
import { paperGainOf } from '../../../shared/review/read-findings.ts';
import { useReading } from '../review/use-reading.ts';

/** What the reading has for it, as far as it is known. */
export function usePaperGain(task: TaskDetail): PaperGain {
  return paperGainOf(useReading(task).reading?.corrections ?? []);
}

/** Before the approval; afterwards the report is what was approved. */
export function GainChoice({ task }: { task: TaskDetail }): ReactNode {
  const { t } = useTranslation();
  const { reading, mayCorrect, correct } = useReading(task);
  if (task.state !== 'AWAITING_APPROVAL' || reading === undefined) return null;
  return (
    <NativeSelect
      aria-label={t('report.gain')}
      w={150}
      size="md"
      disabled={!mayCorrect}
      value={paperGainOf(reading.corrections)}
      data={PAPER_GAINS.map((value) => ({ value, label: t(`report.gains.${value.replace('/', '_')}`) }))}
      onChange={({ currentTarget }) => correct({ kind: 'paperGain', gain: currentTarget.value as PaperGain })}
    />
  );
}
