// The findings, each with its leads and its place in the recording; clicking one shows that place. Whoever may review
// accepts, rewords, rejects and adds; what was rejected stays below, with the reason.

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statement } from '../../../shared/analysis-result.ts';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { evidenceTexts } from '../../../shared/findings/evidence-text.ts';
import { findingText, notAssessedText } from '../../../shared/findings/finding-text.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import { analysisWait } from '../../parts/analysis-wait.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { SeverityShape } from '../../parts/severity-badge.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { warningSentences } from '../../parts/warning-words.ts';
import { errorText, shownLanguage } from '../../text/text.ts';
import { ChannelsButton } from '../channels/channels-button.tsx';
import { AddStatement } from './add-statement.tsx';
import { Consultations, type Place } from './consultations.tsx';
import classes from './findings.module.css';
import { useMoment } from './moments.ts';
import { AgainstDialog } from './phrases/against-dialog.tsx';
import { PhrasesDialog } from './phrases/phrases-dialog.tsx';
import { usePhrases } from './phrases/use-phrases.ts';
import { RejectStatement, RewordStatement } from './statement-dialogs.tsx';
import type { Correcting, Reading, ReadStatement } from './use-reading.ts';
import type { RecordingFrame } from './use-recording.ts';

/** From here on a recording is read as a day. */
const LONG_SECONDS = 3600;
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
  return leads.length > MOST_LEADS ? '' : leads.map(leadName).join(', ');
};

interface ActionProps {
  readonly icon: IconName;
  readonly label: string;
  readonly isPressed?: boolean;
  onPress(): void;
}

function Action({ icon, label, isPressed, onPress }: ActionProps): ReactNode {
  return (
    <button
      type="button"
      className={classes.action}
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      onClick={onPress}
    >
      <Icon name={icon} size={16} />
    </button>
  );
}

interface FindingProps {
  readonly read: ReadStatement;
  readonly frame: RecordingFrame;
  readonly isChosen: boolean;
  readonly mayCorrect: boolean;
  onChoose(): void;
  onAccept(): void;
  onReword(): void;
  onReject(): void;
  onMoveUp: (() => void) | undefined;
}

function Finding({
  read: { statement, state, original, by },
  frame,
  isChosen,
  mayCorrect,
  onChoose,
  onAccept,
  onReword,
  onReject,
  onMoveUp,
}: FindingProps): ReactNode {
  const { t } = useTranslation();
  const moment = useMoment();
  const text = findingText(statement, shownLanguage());
  const [place, leads] = [placeOf(statement, frame), leadsOf(statement)];
  return (
    <li className={classes.finding} data-chosen={isChosen || undefined}>
      <button type="button" className={classes.statement} aria-pressed={isChosen} onClick={onChoose}>
        <SeverityShape severity={statement.severity} />
        <b>{text}</b>
      </button>
      {mayCorrect && (
        <fieldset className={classes.actions} aria-label={text}>
          {onMoveUp !== undefined && isChosen && (
            <Action icon="up" label={t('review.moveUp')} onPress={onMoveUp} />
          )}
          {state === 'reworded' && (
            <Action icon="retry" label={t('review.programsWords')} onPress={onAccept} />
          )}
          {(state === 'program' || state === 'accepted') && (
            <Action
              icon="check"
              label={t('review.accept')}
              isPressed={state === 'accepted'}
              onPress={onAccept}
            />
          )}
          <Action icon="edit" label={t('review.reword')} onPress={onReword} />
          <Action icon="cross" label={t('review.reject')} onPress={onReject} />
        </fieldset>
      )}
      <span className={classes.chips}>
        {place !== undefined && <span>{moment(place[0])}</span>}
        {leads !== '' && <span>{leads}</span>}
        {state !== 'reworded' &&
          evidenceTexts(statement, shownLanguage()).map((each) => <span key={each}>{each}</span>)}
        {original !== undefined && <s className="quiet">{findingText(original, shownLanguage())}</s>}
        {by !== undefined && (
          <span>{t(`review.state.${state}`, { by: by === '' ? t('review.workstation') : by })}</span>
        )}
      </span>
    </li>
  );
}

function Rejected({
  rejected,
  mayCorrect,
  onRestore,
}: {
  rejected: Reading['rejected'];
  mayCorrect: boolean;
  onRestore(code: string): void;
}): ReactNode {
  const { t } = useTranslation();
  if (rejected.length === 0) return null;
  return (
    <section className={classes.rejected}>
      <h3>{t('judge.rejected')}</h3>
      <ul>
        {rejected.map(({ statement, reason }) => (
          <li key={statement.code}>
            <span>
              <s>{findingText(statement, shownLanguage())}</s> <span className="quiet">{reason}</span>
            </span>
            {mayCorrect && (
              <Action icon="retry" label={t('review.restore')} onPress={() => onRestore(statement.code)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

type Dialog =
  | { readonly kind: 'add' | 'phrases' }
  | { readonly kind: 'reword' | 'reject'; readonly read: ReadStatement };

interface FindingsProps {
  readonly task: TaskDetail;
  readonly correcting: Correcting;
  readonly frame: RecordingFrame;
  readonly chosen: string | undefined;
  /** What a question to a colleague is about. */
  readonly place: Place;
  onChoose(statement: Statement): void;
}

/** The warnings about the recording, which its reader has to know. */
function AboutRecording({ task }: { task: TaskDetail }): ReactNode {
  const { t } = useTranslation();
  const { warnings } = task;
  const channels = <ChannelsButton task={task} variant="default" h={40} px={12} mt={8} />;
  if (warnings.length === 0) return channels;
  return (
    <section className={classes.about} aria-label={t('review.aboutRecording')}>
      <h3>{t('review.aboutRecording')}</h3>
      <ul>
        {warningSentences(warnings).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {channels}
    </section>
  );
}

export function Findings({ task, correcting, frame, chosen, place, onChoose }: FindingsProps): ReactNode {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<Dialog>();
  const { reading, mayCorrect, correct } = correcting;
  const isLong = frame.recordedSamples >= LONG_SECONDS * frame.sampleRateHz;
  const phrases = usePhrases(correcting, isLong);
  const { normal } = phrases;
  useCommands('review', {
    addFinding: mayCorrect ? () => setDialog({ kind: 'add' }) : undefined,
    phrases: mayCorrect ? () => setDialog({ kind: 'phrases' }) : undefined,
    normalEcg: mayCorrect && normal !== undefined ? () => phrases.say(normal) : undefined,
  });
  // An empty list would read as nothing found.
  if (task.revision === undefined)
    return (
      <p role="status">
        {task.failureReason === undefined
          ? [t('review.notAnalysed'), analysisWait(task)].join(' ')
          : errorText({ reason: task.failureReason })}
      </p>
    );
  if (reading === undefined) return <p role="status">{t('review.loading')}</p>;
  const { statements, rejected } = reading;
  const notAssessed = notAssessedText(reading.notAssessed, shownLanguage());
  const checked = statements.filter(({ state }) => state !== 'program').length;
  const moveUp = (place: number): (() => void) | undefined => {
    if (place === 0) return undefined;
    const codes = statements.map(({ statement }) => statement.code);
    const moved = codes.toSpliced(place, 1).toSpliced(place - 1, 0, codes[place] as string);
    return () => correct({ kind: 'ordered', codes: moved });
  };
  const takeBack = ({ statement, state }: ReadStatement): void =>
    state === 'added'
      ? correct({ kind: 'unstated', code: statement.code })
      : setDialog({ kind: 'reject', read: { statement, state } });
  return (
    <>
      <div className={classes.head}>
        <h2>{t('review.findings')}</h2>
        <span className="quiet">{t('review.checked', { checked, count: statements.length })}</span>
        {mayCorrect && (
          <div className={classes.more}>
            <Button
              variant="subtle"
              h={36}
              px={8}
              leftSection={<Icon name="plus" size={16} />}
              rightSection={<Key of="review.addFinding" />}
              onClick={() => setDialog({ kind: 'add' })}
            >
              {t('review.add')}
            </Button>
            <Button
              variant="subtle"
              h={36}
              px={8}
              rightSection={<Key of="review.phrases" />}
              onClick={() => setDialog({ kind: 'phrases' })}
            >
              {t('review.phrase.open')}
            </Button>
          </div>
        )}
      </div>
      <ul className={classes.findings}>
        {statements.map((read, index) => (
          <Finding
            key={read.statement.code}
            read={read}
            frame={frame}
            isChosen={read.statement.code === chosen}
            mayCorrect={mayCorrect}
            onChoose={() => onChoose(read.statement)}
            onAccept={() =>
              correct({
                kind: read.state === 'program' ? 'accepted' : 'restored',
                code: read.statement.code,
              })
            }
            onReword={() => setDialog({ kind: 'reword', read })}
            onReject={() => takeBack(read)}
            onMoveUp={moveUp(index)}
          />
        ))}
      </ul>
      <Rejected
        rejected={rejected}
        mayCorrect={mayCorrect}
        onRestore={(code) => correct({ kind: 'restored', code })}
      />
      {notAssessed !== '' && <p className="quiet">{notAssessed}</p>}
      <AboutRecording task={task} />
      <Consultations taskId={task.taskId} place={place} />
      {dialog?.kind === 'add' && (
        <AddStatement reading={reading} onSay={correct} onClose={() => setDialog(undefined)} />
      )}
      {dialog?.kind === 'phrases' && (
        <PhrasesDialog
          phrases={phrases}
          reading={reading}
          patient={task.patient}
          onClose={() => setDialog(undefined)}
        />
      )}
      {phrases.asked !== undefined && (
        <AgainstDialog
          phrase={phrases.asked}
          reading={reading}
          onSay={phrases.sayBecause}
          onClose={phrases.putAway}
        />
      )}
      {dialog?.kind === 'reword' && (
        <RewordStatement read={dialog.read} onSay={correct} onClose={() => setDialog(undefined)} />
      )}
      {dialog?.kind === 'reject' && (
        <RejectStatement read={dialog.read} onSay={correct} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}
