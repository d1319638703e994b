// What a whole-report phrase takes the place of: rejected for one reason, or not at all where any of it is grave.

import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findingText } from '../../../../shared/findings/finding-text.ts';
import type { NewPhrase } from '../../../../shared/review/phrases.ts';
import { SeverityShape } from '../../../parts/severity-badge.tsx';
import { shownLanguage } from '../../../text/text.ts';
import { RejectionReason } from '../rejection-reason.tsx';
import { Saying } from '../statement-dialogs.tsx';
import type { Reading, ReadStatement } from '../use-reading.ts';
import classes from './phrases.module.css';
import { against, graveOf } from './said-phrase.ts';

function Taken({ statements }: { statements: readonly ReadStatement[] }): ReactNode {
  return (
    <ul className={classes.taken}>
      {statements.map(({ statement }) => (
        <li key={statement.code}>
          <SeverityShape severity={statement.severity} /> {findingText(statement, shownLanguage())}
        </li>
      ))}
    </ul>
  );
}

interface AgainstDialogProps {
  readonly phrase: NewPhrase;
  readonly reading: Reading;
  onSay(reason: string): void;
  onClose(): void;
}

export function AgainstDialog({ phrase, reading, onSay, onClose }: AgainstDialogProps): ReactNode {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const statements = against(phrase, reading);
  const grave = graveOf(statements);
  const title = t('review.phrase.againstTitle', { name: phrase.name });
  if (grave.length > 0)
    return (
      <Modal opened onClose={onClose} title={title} centered size="lg">
        <p>{t('review.phrase.grave')}</p>
        <Taken statements={grave} />
        <Button h={48} className={classes.close ?? ''} data-autofocus onClick={onClose}>
          {t('reason.cancel')}
        </Button>
      </Modal>
    );
  return (
    <Saying
      title={title}
      action={t('review.phrase.say', { name: phrase.name })}
      isReady={reason.trim() !== ''}
      onSubmit={() => onSay(reason.trim())}
      onClose={onClose}
    >
      <p>{t('review.phrase.against')}</p>
      <Taken statements={statements} />
      <RejectionReason reason={reason} onChange={setReason} />
    </Saying>
  );
}
