// A reviewer accepts what was found, or rejects it, with the PIN once more (D62). Whoever waits at the
// service learns of it at once.

import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { findingText, notAssessedText } from '../../../shared/findings/finding-text.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { isPatientToBeSaid, nameOf, patientFacts } from '../../parts/patient-line.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { SecretInput } from '../../parts/secret-input.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { shownLanguage } from '../../text/text.ts';
import classes from './report.module.css';

function ApproveDialog({ task, onClose }: { task: TaskDetail; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const approve = useCommand('task.approve');
  const [secret, setSecret] = useState('');
  const name = nameOf(task.patient);
  const facts = patientFacts(task.patient, { atMs: task.recordingStartMs ?? task.createdMs });
  const run = async (): Promise<void> => {
    if ((await approve.run({ taskId: task.taskId, revision: task.revision ?? 0, secret })) !== undefined)
      onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('judge.approveTitle')} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <p className={classes.who}>
          <b>{name}</b>
          <span>{facts}</span>
          {task.severity !== undefined && <SeverityBadge severity={task.severity} />}
        </p>
        <ul>
          {task.statements.map((statement) => (
            <li key={`${statement.code} ${statement.text}`}>{findingText(statement, shownLanguage())}</li>
          ))}
        </ul>
        <p className="quiet">{notAssessedText(task.notAssessed, shownLanguage())}</p>
        <SecretInput
          hasFocusFirst
          label={t('reason.pin')}
          value={secret}
          error={approve.trouble}
          onType={setSecret}
        />
        <div className={classes.judgeButtons}>
          <Button variant="default" h={48} onClick={onClose}>
            {t('reason.cancel')}
          </Button>
          <Button h={48} type="submit" loading={approve.isRunning}>
            {t('judge.approve')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

export function Judge({ task }: { task: TaskDetail }): ReactNode {
  const { t } = useTranslation();
  const { person, may } = useSession();
  const [asked, setAsked] = useState<'approve' | 'reject' | undefined>();
  if (task.state !== 'AWAITING_APPROVAL') return null;
  if (person === undefined || !may('approve'))
    return (
      <span className={classes.judgeNote}>
        {t(person === undefined ? 'judge.needsAccount' : 'judge.needsReviewer')}
      </span>
    );
  if (isPatientToBeSaid(task))
    return (
      <Button h={44} component="a" href={`#/patient/${task.taskId}`}>
        {t('preview.assign')}
      </Button>
    );
  return (
    <>
      <Button h={44} variant="default" onClick={() => setAsked('reject')}>
        {t('judge.reject')}
      </Button>
      <Button h={44} onClick={() => setAsked('approve')}>
        {t('judge.approve')}
      </Button>
      {asked === 'approve' && <ApproveDialog task={task} onClose={() => setAsked(undefined)} />}
      {asked === 'reject' && (
        <ReasonDialog
          command="task.reject"
          taskId={task.taskId}
          title={t('judge.rejectTitle')}
          text={t('judge.rejectText')}
          action={t('judge.rejectAction')}
          reasons={[t('reason.badSignal'), t('reason.wrongPatient'), t('reason.repeat')]}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
