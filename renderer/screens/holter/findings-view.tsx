// What is stated of the day, to be accepted, reworded, rejected or added to, before it is signed. It is measured anew with all that was
// corrected, which takes a while for a day.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statement } from '../../../shared/analysis-result.ts';
import { Findings, placeOf } from '../review/findings.tsx';
import { ReadSeverity } from '../review/read-severity.tsx';
import { useReading } from '../review/use-reading.ts';
import classes from './findings-view.module.css';
import { useHolter } from './holter.ts';
import { useHourTable } from './hour-rows.tsx';
import { Summary } from './summary.tsx';

export function FindingsView(): ReactNode {
  const { t } = useTranslation();
  const { task, reading, at, goTo } = useHolter();
  const correcting = useReading(task);
  const { whole } = useHourTable();
  const { sampleRateHz, samples } = reading.day;
  const frame = { sampleRateHz, recordedSamples: samples };
  const choose = (statement: Statement): void => {
    const place = placeOf(statement, frame);
    if (place !== undefined) goTo(place[0]);
  };
  return (
    <div className={classes.view}>
      <section className={classes.stated} aria-label={t('review.findings')}>
        {correcting.isMeasuring && (
          <p className={classes.measuring} role="status">
            {t('holter.measuring')}
          </p>
        )}
        <ReadSeverity stored={task.severity} correcting={correcting} />
        <Findings
          task={task}
          correcting={correcting}
          frame={frame}
          chosen={undefined}
          place={{ atSample: at, onShow: goTo }}
          onChoose={choose}
        />
      </section>
      <Summary whole={whole} />
    </div>
  );
}
