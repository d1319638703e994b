// How grave the reading is as a whole. Whoever may review can say otherwise, with the reason; it is undone like any step.

import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SEVERITIES, type Severity } from '../../../shared/severity.ts';
import { Icon } from '../../parts/icon.tsx';
import { Segments } from '../../parts/segments.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import classes from './findings.module.css';
import { Saying } from './statement-dialogs.tsx';
import type { Correcting } from './use-reading.ts';

const MOST_CHARACTERS = 500;

interface SetSeverityProps {
  readonly severity: Severity | undefined;
  onSay(severity: Severity, reason: string): void;
  onClose(): void;
}

function SetSeverity({ severity, onSay, onClose }: SetSeverityProps): ReactNode {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(severity);
  const [reason, setReason] = useState('');
  const said = reason.trim();
  return (
    <Saying
      title={t('review.severityTitle')}
      action={t('review.severitySet')}
      isReady={chosen !== undefined && chosen !== severity && said !== ''}
      onSubmit={() => chosen !== undefined && onSay(chosen, said)}
      onClose={onClose}
    >
      <Segments<Severity>
        label={t('review.severity')}
        name="severity"
        value={chosen}
        segments={SEVERITIES.map((value) => ({ value, label: t(`severity.${value}`) }))}
        onChoose={setChosen}
      />
      <TextInput
        label={t('review.severityWhy')}
        value={reason}
        maxLength={MOST_CHARACTERS}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Saying>
  );
}

interface ReadSeverityProps {
  /** Before the reading is known: as it is stored. */
  readonly stored: Severity | undefined;
  readonly correcting: Correcting;
}

export function ReadSeverity({ stored, correcting }: ReadSeverityProps): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { reading, mayCorrect, correct } = correcting;
  const severity = reading === undefined ? stored : reading.severity;
  return (
    <div className={classes.severity}>
      {severity === undefined ? (
        <span className="quiet">{t('severity.absent')}</span>
      ) : (
        <SeverityBadge severity={severity} />
      )}
      {mayCorrect && (
        <Button
          variant="subtle"
          h={32}
          px={8}
          leftSection={<Icon name="edit" size={16} />}
          onClick={() => setOpen(true)}
        >
          {t('review.severityChange')}
        </Button>
      )}
      {reading?.severityReason !== undefined && (
        <p className="quiet">{t('review.severitySaid', { reason: reading.severityReason })}</p>
      )}
      {isOpen && (
        <SetSeverity
          severity={severity}
          onSay={(value, reason) => correct({ kind: 'severity', severity: value, reason })}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
