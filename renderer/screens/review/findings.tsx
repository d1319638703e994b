// The findings, each with its leads and its place in the recording; clicking one shows that place.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statement } from '../../../shared/analysis-result.ts';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { findingText, notAssessedText } from '../../../shared/findings/finding-text.ts';
import { isLeadCode, leadName } from '../../../shared/signal/lead.ts';
import { errorText, shownLanguage } from '../../text/text.ts';
import classes from './review.module.css';
import { timeIn } from './time-in.ts';
import type { RecordingFrame } from './use-recording.ts';

/** More leads than this are all of them to a reader. */
const MOST_LEADS = 6;

/** Where it was found, if that is not the whole recording. */
export const placeOf = (
  { evidence }: Statement,
  { recordedSamples }: RecordingFrame,
): [number, number] | undefined => {
  const first = evidence?.ranges[0];
  return first === undefined || first[1] - first[0] >= recordedSamples ? undefined : [first[0], first[1]];
};

const leadsOf = ({ evidence }: Statement): string => {
  const leads = evidence?.leads ?? [];
  return leads.length > MOST_LEADS
    ? ''
    : leads.map((lead) => (isLeadCode(lead) ? leadName(lead) : lead)).join(', ');
};

interface FindingsProps {
  readonly task: TaskDetail;
  readonly frame: RecordingFrame;
  readonly chosen: Statement | undefined;
  onChoose(statement: Statement): void;
}

export function Findings({ task, frame, chosen, onChoose }: FindingsProps): ReactNode {
  const { t } = useTranslation();
  const notAssessed = notAssessedText(task.notAssessed, shownLanguage());
  // An empty list would read as nothing found.
  if (task.revision === undefined)
    return (
      <p role="status">
        {task.failureReason === undefined
          ? t('review.notAnalysed')
          : errorText({ reason: task.failureReason })}
      </p>
    );
  return (
    <>
      <h2>{t('preview.findings')}</h2>
      <ul className={classes.findings}>
        {task.statements.map((statement) => {
          const place = placeOf(statement, frame);
          const leads = leadsOf(statement);
          return (
            <li key={`${statement.code} ${statement.text}`}>
              <button
                type="button"
                className={classes.finding}
                aria-pressed={statement === chosen}
                onClick={() => onChoose(statement)}
              >
                <b>{findingText(statement, shownLanguage())}</b>
                <span className={classes.chips}>
                  {place !== undefined && <span>{timeIn(place[0], frame.sampleRateHz)}</span>}
                  {leads !== '' && <span>{leads}</span>}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {notAssessed !== '' && <p className="quiet">{notAssessed}</p>}
    </>
  );
}
