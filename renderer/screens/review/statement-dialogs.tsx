// What a person says of a statement: other words, a reason against it, or one of the person's own.

import { Autocomplete, Button, Modal, TextInput } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findingText } from '../../../shared/findings/finding-text.ts';
import type { Correction } from '../../../shared/review/corrections.ts';
import { SEVERITIES, type Severity } from '../../../shared/severity.ts';
import { Segments } from '../../parts/segments.tsx';
import { shownLanguage } from '../../text/text.ts';
import classes from './findings.module.css';
import { catalogueOf, codeFor } from './statement-catalogue.ts';
import type { Reading, ReadStatement } from './use-reading.ts';

interface DialogProps {
  onSay(change: Correction): void;
  onClose(): void;
}

const MOST_CHARACTERS = 500;
const MOST_SUGGESTED = 12;

export interface SayingProps {
  readonly title: string;
  readonly action: string;
  readonly isReady: boolean;
  readonly children: ReactNode;
  onSubmit(): void;
  onClose(): void;
}

/** A dialog with one thing to say. */
export function Saying({ title, action, isReady, children, onSubmit, onClose }: SayingProps): ReactNode {
  const { t } = useTranslation();
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    onSubmit();
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
  const usual = [t('review.why.artefact'), t('review.why.known'), t('review.why.notSeen')];
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
      <div className={classes.usual}>
        {usual.map((each) => (
          <Button
            key={each}
            variant={each === reason ? 'filled' : 'default'}
            h={40}
            onClick={() => setReason(each)}
          >
            {each}
          </Button>
        ))}
      </div>
      <TextInput
        data-autofocus
        label={t('reason.label')}
        value={reason}
        maxLength={MOST_CHARACTERS}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Saying>
  );
}

export function AddStatement({ reading, onSay, onClose }: DialogProps & { reading: Reading }): ReactNode {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [severity, setSeverity] = useState<Severity>();
  const catalogue = useMemo(() => catalogueOf(reading.measurements, shownLanguage()), [reading]);
  const said = text.trim();
  const add = (): void => {
    if (severity !== undefined)
      onSay({ kind: 'stated', code: codeFor(said, catalogue, reading), text: said, severity });
  };
  return (
    <Saying
      title={t('review.addTitle')}
      action={t('review.add')}
      isReady={said !== '' && severity !== undefined}
      onSubmit={add}
      onClose={onClose}
    >
      <Autocomplete
        data-autofocus
        label={t('review.words')}
        description={t('review.addHow')}
        value={text}
        data={catalogue.map((entry) => entry.text)}
        limit={MOST_SUGGESTED}
        maxLength={MOST_CHARACTERS}
        onChange={setText}
      />
      <div>
        <span className={classes.label}>{t('review.severity')}</span>
        <Segments<Severity>
          label={t('review.severity')}
          name="severity"
          value={severity}
          segments={SEVERITIES.map((value) => ({ value, label: t(`severity.${value}`) }))}
          onChoose={setSeverity}
        />
      </div>
    </Saying>
  );
}
