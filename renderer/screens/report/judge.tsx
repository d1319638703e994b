// A reviewer approves a reading as it stands, with what was corrected, or rejects the recording, with the PIN once more
// (D62). Whoever waits at the service learns of it at once.

import { Button, Modal, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { findingText, notAssessedText } from '../../../shared/findings/finding-text.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { clockTime } from '../../parts/format-time.ts';
import { goOn } from '../../parts/go-on.ts';
import { isPatientToBeSaid, nameOf, patientFacts } from '../../parts/patient-line.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { SecretInput } from '../../parts/secret-input.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { useNow } from '../../parts/use-now.ts';
import { subjectOf } from '../../parts/whose-recording.tsx';
import { shownLanguage } from '../../text/text.ts';
import classes from './report.module.css';

type Reading = CallOutput<'review.reading'>;

/** What is signed: the findings as they stand, and what was changed. */
function Signed({ reading }: { reading: Reading }): ReactNode {
  const { t } = useTranslation();
  const language = shownLanguage();
  // How high the paper is drawn corrects nothing.
  const corrections = reading.corrections.filter(({ change }) => change.kind !== 'paperGain');
  return (
    <>
      <ul>
        {reading.statements.map(({ statement }) => (
          <li key={statement.code}>{findingText(statement, language)}</li>
        ))}
        {reading.rejected.map(({ statement, reason }) => (
          <li key={statement.code}>
            {t('judge.rejected')}: <s>{findingText(statement, language)}</s> ({reason})
          </li>
        ))}
      </ul>
      <p className="quiet">{notAssessedText(reading.notAssessed, language)}</p>
      {corrections.length > 0 && <p>{t('judge.corrections', { count: corrections.length })}</p>}
    </>
  );
}

/** How soon it is seen that a PIN counts no more. */
const LOOK_MS = 1000;
/** A slip of the hand comes sooner. */
const SETTLE_MS = 500;

interface ApproveDialogProps {
  readonly task: TaskDetail;
  readonly reading: Reading;
  onClose(): void;
}

/** The next one that waits to be read; a change to what is signed already is nobody's queue. */
function useNext({ taskId, state }: TaskDetail): number | undefined {
  const { data } = useBridgeQuery('review.next', { behind: taskId });
  return state === 'AWAITING_APPROVAL' && data?.taskId !== taskId ? data?.taskId : undefined;
}

function ApproveDialog({ task, reading, onClose }: ApproveDialogProps): ReactNode {
  const { t } = useTranslation();
  const approve = useCommand('task.approve');
  const { confirmedUntilMs = 0 } = useSession();
  const nowMs = useNow(LOOK_MS);
  const next = useNext(task);
  const [secret, setSecret] = useState('');
  const [reason, setReason] = useState('');
  const isAmended = task.state === 'COMPLETED';
  const isConfirmed = confirmedUntilMs > nowMs && approve.reason !== 'secret_needed';
  const [openedMs] = useState(() => performance.now());
  const name = nameOf(task.patient);
  const facts = patientFacts(task.patient, { atMs: task.recordingStartMs ?? task.createdMs });
  const run = async (then?: number): Promise<void> => {
    const { revision, version } = reading;
    const from = location.hash;
    const approved = await approve.run({
      taskId: task.taskId,
      revision,
      version,
      ...(!isConfirmed && { secret }),
      of: subjectOf(task),
      ...(isAmended && { reason }),
    });
    if (approved === undefined) return;
    onClose();
    if (then !== undefined) goOn(from, `#/review/${then}`);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t(isAmended ? 'judge.amendTitle' : 'judge.approveTitle')}
      centered
    >
      <form
        // The key that has opened it signs nothing, held or pressed twice.
        onKeyDown={(event) => {
          if (event.repeat && event.key === 'Enter') event.preventDefault();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed && performance.now() - openedMs < SETTLE_MS) return;
          void run(next);
        }}
      >
        <p className={classes.who}>
          <b>{name}</b>
          <span>{facts}</span>
          {reading.severity !== undefined && <SeverityBadge severity={reading.severity} />}
        </p>
        <Signed reading={reading} />
        {isAmended && (
          <Textarea
            label={t('judge.amendReason')}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            maxLength={1000}
            mb={12}
            data-autofocus
          />
        )}
        {isConfirmed ? (
          <p>{t('judge.confirmedUntil', { time: clockTime(confirmedUntilMs).clock.slice(0, 5) })}</p>
        ) : (
          <SecretInput
            hasFocusFirst={!isAmended}
            label={t('reason.pin')}
            value={secret}
            error={approve.trouble}
            onType={setSecret}
          />
        )}
        {isConfirmed && approve.trouble !== undefined && <p role="alert">{approve.trouble}</p>}
        <div className={classes.judgeButtons}>
          <Button variant="default" h={48} onClick={onClose}>
            {t('reason.cancel')}
          </Button>
          {next !== undefined && (
            <Button variant="default" h={48} disabled={approve.isRunning} onClick={() => void run()}>
              {t('judge.approve')}
            </Button>
          )}
          <Button
            h={48}
            type="submit"
            loading={approve.isRunning}
            data-autofocus={(isConfirmed && !isAmended) || undefined}
          >
            {t(next === undefined ? 'judge.approve' : 'judge.approveNext')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** What is signed is being measured with what was corrected last. */
function Measuring({ onClose }: { onClose(): void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} size="lg" title={t('judge.approveTitle')} centered>
      <p role="status">{t('judge.measuring')}</p>
      <div className={classes.judgeButtons}>
        <Button variant="default" h={48} onClick={onClose} data-autofocus>
          {t('reason.cancel')}
        </Button>
      </div>
    </Modal>
  );
}

interface JudgeProps {
  readonly task: TaskDetail;
  /** False where there is room for one button alone. */
  readonly mayReject?: boolean;
  /** Somebody has asked for it already. */
  readonly isAskedAtOnce?: boolean;
  readonly onClosed?: () => void;
}

/** Absent where there is nothing to approve. */
export function Judge({ task, mayReject = true, isAskedAtOnce = false, onClosed }: JudgeProps): ReactNode {
  const { t } = useTranslation();
  const { person, may } = useSession();
  const [asked, setAsked] = useState<'approve' | 'reject' | undefined>(isAskedAtOnce ? 'approve' : undefined);
  const isOpen = task.state === 'AWAITING_APPROVAL';
  const { data: reading, isFetching } = useBridgeQuery(
    'review.reading',
    { taskId: task.taskId },
    { isEnabled: task.revision !== undefined && (isOpen || task.state === 'COMPLETED') },
  );
  const isToApprove =
    isOpen ||
    (task.state === 'COMPLETED' && (reading?.isCorrected === true || (isAskedAtOnce && isFetching)));
  const mayApprove =
    isToApprove &&
    reading !== undefined &&
    person !== undefined &&
    may('approve') &&
    !isPatientToBeSaid(task);
  const close = (): void => {
    setAsked(undefined);
    onClosed?.();
  };
  useCommands('report', { approve: mayApprove ? () => setAsked('approve') : undefined });
  if (!isToApprove) return null;
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
      {isOpen && mayReject && (
        <Button h={44} variant="default" onClick={() => setAsked('reject')}>
          {t('judge.reject')}
        </Button>
      )}
      <Button h={44} disabled={reading === undefined} onClick={() => setAsked('approve')}>
        {t(isOpen ? 'judge.approve' : 'judge.amend')}
      </Button>
      {asked === 'approve' &&
        (reading === undefined || isFetching ? (
          <Measuring onClose={close} />
        ) : (
          <ApproveDialog task={task} reading={reading} onClose={close} />
        ))}
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
