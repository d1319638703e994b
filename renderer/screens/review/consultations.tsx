// What readers ask each other about a recording: asked here, answered here, and closed by who asked.

import { Button, Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MOST_NOTE_CHARACTERS } from '../../../shared/bridge/contract/readers.ts';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import classes from './findings.module.css';
import { useMoment } from './moments.ts';
import { Saying } from './statement-dialogs.tsx';

type Consultation = CallOutput<'consultation.list'>['consultations'][number];
type Colleagues = CallOutput<'colleague.list'>['colleagues'];

export interface Place {
  /** The sample in sight; undefined where the whole recording is. */
  readonly atSample: number | undefined;
  onShow(sample: number): void;
}

interface AskProps {
  readonly taskId: number;
  readonly colleagues: Colleagues;
  readonly atSample: number | undefined;
  onClose(): void;
}

function Ask({ taskId, colleagues, atSample, onClose }: AskProps): ReactNode {
  const { t } = useTranslation();
  const moment = useMoment();
  const ask = useCommand('consultation.ask');
  const [toUserId, setToUserId] = useState(colleagues[0]?.userId);
  const [note, setNote] = useState('');
  const [isOfPlace, setOfPlace] = useState(true);
  const said = note.trim();
  const submit = async (): Promise<boolean> => {
    if (toUserId === undefined) return false;
    const isPlaced = atSample !== undefined && isOfPlace;
    return (await ask.run({ taskId, toUserId, note: said, ...(isPlaced && { atSample }) })) !== undefined;
  };
  return (
    <Saying
      title={t('review.consult.title')}
      action={t('review.consult.ask')}
      isReady={said !== '' && toUserId !== undefined}
      onSend={submit}
      onClose={onClose}
    >
      <NativeSelect
        label={t('review.consult.whom')}
        value={String(toUserId)}
        data={colleagues.map(({ userId, name }) => ({ value: String(userId), label: name }))}
        onChange={({ currentTarget }) => setToUserId(Number(currentTarget.value))}
      />
      <Textarea
        data-autofocus
        label={t('review.consult.note')}
        value={note}
        maxLength={MOST_NOTE_CHARACTERS}
        autosize
        minRows={3}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      {ask.trouble !== undefined && <p role="alert">{ask.trouble}</p>}
      {atSample !== undefined && (
        <Checkbox
          checked={isOfPlace}
          label={t('review.consult.place', { at: moment(atSample) })}
          onChange={({ currentTarget }) => setOfPlace(currentTarget.checked)}
        />
      )}
    </Saying>
  );
}

function Answer({ asked: { consultationId } }: { asked: Consultation }): ReactNode {
  const { t } = useTranslation();
  const answer = useCommand('consultation.answer');
  const [text, setText] = useState('');
  const said = text.trim();
  return (
    <form
      className={classes.answer}
      onSubmit={(event) => {
        event.preventDefault();
        if (said !== '') void answer.run({ consultationId, answer: said });
      }}
    >
      <Textarea
        aria-label={t('review.consult.answer')}
        placeholder={t('review.consult.answer')}
        value={text}
        maxLength={MOST_NOTE_CHARACTERS}
        autosize
        minRows={2}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" h={40} disabled={said === ''} loading={answer.isRunning}>
        {t('review.consult.send')}
      </Button>
      {answer.trouble !== undefined && <p role="alert">{answer.trouble}</p>}
    </form>
  );
}

interface AskedProps {
  readonly asked: Consultation;
  readonly userId: number | undefined;
  onShow(sample: number): void;
}

function Asked({ asked, userId, onShow }: AskedProps): ReactNode {
  const { t } = useTranslation();
  const moment = useMoment();
  const close = useCommand('consultation.close');
  const { consultationId, from, to, note, atSample, answer, fromUserId, toUserId } = asked;
  const isMine = userId === fromUserId;
  return (
    <li className={classes.asked}>
      <b>{t('review.consult.asks', { from, to })}</b>
      <p>{note}</p>
      {atSample !== undefined && (
        <Button variant="default" h={36} onClick={() => onShow(atSample)}>
          {t('review.consult.show', { at: moment(atSample) })}
        </Button>
      )}
      {answer !== undefined && (
        <>
          <b>{t('review.consult.answers', { to })}</b>
          <p>{answer}</p>
        </>
      )}
      {answer === undefined && userId === toUserId && <Answer asked={asked} />}
      {isMine && (
        <Button
          variant="default"
          h={36}
          loading={close.isRunning}
          onClick={() => void close.run({ consultationId, isAnswerSeen: answer !== undefined })}
        >
          {t(answer === undefined ? 'review.consult.takeBack' : 'review.consult.read')}
        </Button>
      )}
      {close.trouble !== undefined && <p role="alert">{close.trouble}</p>}
    </li>
  );
}

export function Consultations({ taskId, place }: { taskId: number; place: Place }): ReactNode {
  const { t } = useTranslation();
  const { person, may } = useSession();
  const mayAsk = person !== undefined && may('review');
  const { data } = useBridgeQuery('consultation.list', { taskId });
  const { data: others } = useBridgeQuery('colleague.list', {}, { isEnabled: mayAsk });
  const [isAsking, setAsking] = useState(false);
  const consultations = data?.consultations ?? [];
  const colleagues = mayAsk ? (others?.colleagues ?? []) : [];
  if (consultations.length === 0 && colleagues.length === 0) return null;
  return (
    <section className={classes.consultations} aria-label={t('review.consult.title')}>
      {consultations.length > 0 && (
        <ul>
          {consultations.map((asked) => (
            <Asked key={asked.consultationId} asked={asked} userId={person?.userId} onShow={place.onShow} />
          ))}
        </ul>
      )}
      {colleagues.length > 0 && (
        <Button variant="subtle" h={40} px={8} onClick={() => setAsking(true)}>
          {t('review.consult.open')}
        </Button>
      )}
      {isAsking && (
        <Ask
          taskId={taskId}
          colleagues={colleagues}
          atSample={place.atSample}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
