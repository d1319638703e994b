// Why a finding is rejected: one of the usual reasons, or a person's own words.

import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './findings.module.css';

const MOST_CHARACTERS = 500;

interface RejectionReasonProps {
  readonly reason: string;
  onChange(reason: string): void;
}

export function RejectionReason({ reason, onChange }: RejectionReasonProps): ReactNode {
  const { t } = useTranslation();
  const usual = [t('review.why.artefact'), t('review.why.known'), t('review.why.notSeen')];
  return (
    <>
      <div className={classes.usual}>
        {usual.map((each) => (
          <Button
            key={each}
            variant={each === reason ? 'filled' : 'default'}
            h={40}
            onClick={() => onChange(each)}
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
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </>
  );
}
