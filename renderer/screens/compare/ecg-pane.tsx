// One of two ECGs that are compared: when it was, how grave, and its paper.

import { t } from 'i18next';
import type { ReactNode } from 'react';
import { recordedTime } from '../../parts/format-time.ts';
import { ageText } from '../../parts/patient-line.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { SimulatedTag } from '../../parts/simulated-tag.tsx';
import { errorText } from '../../text/text.ts';
import { pageSeconds } from '../../trace/review-layout.ts';
import { Paper, type PaperView } from '../review/paper.tsx';
import { timeIn } from '../review/time-in.ts';
import { useFilteredPage, useRecordingFrame } from '../review/use-recording.ts';
import classes from './compare.module.css';
import type { PatientEcg } from './patient-ecgs.ts';

interface EcgPaneProps {
  readonly ecg: PatientEcg;
  readonly side: 'now' | 'before';
  readonly view: PaperView;
  readonly pageMm: number;
  readonly startSeconds: number;
}

/** `21 Nov 2026, 14:24:00 CET`; where nobody knows, when it came in, and that it is only that. */
function timeOf({ row, atMs }: PatientEcg): string {
  if (row.recordingStartMs === undefined)
    return t('compare.importedAt', { time: recordedTime(atMs, true, undefined) });
  return recordedTime(atMs, row.isStartZoneKnown === true, row.timeZone);
}

export function EcgPane({ ecg, side, view, pageMm, startSeconds }: EcgPaneProps): ReactNode {
  const { row } = ecg;
  const { frame, error } = useRecordingFrame(row.taskId);
  const rateHz = frame?.sampleRateHz ?? 1;
  const sampleCount = Math.round(pageSeconds(view.speedMmPerS, pageMm) * rateHz);
  const start = Math.max(
    0,
    Math.min(Math.round(startSeconds * rateHz), (frame?.recordedSamples ?? 0) - sampleCount),
  );
  const {
    leads,
    isReading,
    error: pageError,
  } = useFilteredPage(row.taskId, frame, start, sampleCount, view.filter);
  const fault = error ?? pageError;
  const reading = isReading ? t('review.loading') : undefined;
  const notice = fault === null ? reading : errorText(fault);
  const shown = t('review.shown', {
    from: timeIn(start, rateHz),
    to: timeIn(start + sampleCount, rateHz),
    of: timeIn(frame?.recordedSamples ?? 0, rateHz),
  });
  const isLong = (frame?.recordedSamples ?? 0) > sampleCount;
  return (
    <section className={classes.pane} aria-label={t(`compare.${side}`)}>
      <header data-side={side}>
        <h2>{t(`compare.${side}`)}</h2>
        <span>
          {[timeOf(ecg), ageText(row.patient, ecg.atMs), isLong ? shown : undefined]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {row.isSimulated === true && <SimulatedTag />}
        {ecg.differs.length > 0 && (
          <b className={classes.differs}>
            {ecg.differs.map((what) => t(`compare.differs.${what}`)).join(', ')}
          </b>
        )}
        {row.severity !== undefined && <SeverityBadge severity={row.severity} />}
      </header>
      {leads === undefined ? (
        <p className={classes.loading} role="status">
          {notice ?? t('review.loading')}
        </p>
      ) : (
        <Paper
          view={view}
          pageMm={pageMm}
          sampleRateHz={rateHz}
          leads={leads}
          notice={notice}
          isSimulated={row.isSimulated === true}
          label={`${t(`compare.${side}`)}: ${shown}`}
        />
      )}
    </section>
  );
}
