// What a person says of a statement: other words, or a reason against it.

import { Button, Modal, TextInput } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findingText } from '../../../shared/findings/finding-text.ts';
import type { Correction } from '../../../shared/review/corrections.ts';
import { shownLanguage } from '../../text/text.ts';
import classes from './findings.module.css';
import { RejectionReason } from './rejection-reason.tsx';
import type { ReadStatement } from './use-reading.ts';

interface DialogProps {
  onSay(change: Correction): void;
  onClose(): void;
}

const MOST_CHARACTERS = 500;

export interface SayingProps {
  readonly title: string;
  readonly action: string;
  readonly isReady: boolean;
  readonly children: ReactNode;
  /** The dialog closes behind it. */
  onSubmit?(): void;
  /** In its place: the dialog closes once it says that all went well. */
  onSend?(): Promise<boolean>;
  onClose(): void;
}

/** A dialog with one thing to say. */
export function Saying(props: SayingProps): ReactNode {
  const { title, action, isReady, children, onSubmit, onSend, onClose } = props;
  const { t } = useTranslation();
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    if (onSend !== undefined) {
      void onSend().then((isDone) => isDone && onClose());
      return;
    }
    onSubmit?.();
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={title} centered size="lg">
      <form className={classes.saying} onSubmit={submit}>
        {children}
        <div className={classes.buttons}>
          <Button variant="default" h={48} onClick={onClose}>
            {t('reason.cancel')}
          </Button>
          <Button h={48} type="submit" disabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

export function RewordStatement({ read, onSay, onClose }: DialogProps & { read: ReadStatement }): ReactNode {
  const { t } = useTranslation();
  const { statement, state } = read;
  const [text, setText] = useState(findingText(statement, shownLanguage()));
  const said = text.trim();
  const { code, severity } = statement;
  return (
    <Saying
      title={t('review.rewordTitle')}
      action={t('review.reword')}
      isReady={said !== ''}
      onSubmit={() =>
        onSay(
          state === 'added'
            ? { kind: 'stated', code, text: said, severity }
            : { kind: 'reworded', code, text: said },
        )
      }
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('review.words')}
        value={text}
        maxLength={MOST_CHARACTERS}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Saying>
  );
}

export function RejectStatement({ read, onSay, onClose }: DialogProps & { read: ReadStatement }): ReactNode {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const said = reason.trim();
  return (
    <Saying
      title={t('review.rejectTitle')}
      action={t('review.reject')}
      isReady={said !== ''}
      onSubmit={() => onSay({ kind: 'rejected', code: read.statement.code, reason: said })}
      onClose={onClose}
    >
      <p>
        <b>{findingText(read.statement, shownLanguage())}</b>
      </p>
      <RejectionReason reason={reason} onChange={setReason} />
    </Saying>
  );
}
