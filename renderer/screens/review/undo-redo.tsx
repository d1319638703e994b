// The last step taken back, and taken again.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../../parts/icon.tsx';

interface StepProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onStep: (() => void) | undefined;
}

function Step({ icon, label, onStep }: StepProps): ReactNode {
  return (
    <Button
      variant="default"
      h={40}
      px={10}
      aria-label={label}
      title={label}
      disabled={onStep === undefined}
      onClick={onStep}
    >
      <Icon name={icon} />
    </Button>
  );
}

/** Undefined is what there is nothing of. */
export function UndoRedo({
  undo,
  redo,
}: {
  undo: (() => void) | undefined;
  redo: (() => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Step icon="undo" label={t('review.undo')} onStep={undo} />
      <Step icon="redo" label={t('review.redo')} onStep={redo} />
    </>
  );
}
