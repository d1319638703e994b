// On to the next recording that waits to be read, the gravest first.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useKeys } from '../../parts/use-keys.ts';

/** @param behind the one that is open; absent where none is */
export function NextOpen({ behind }: { behind?: number }): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('review.next', behind === undefined ? {} : { behind });
  const next = data?.taskId;
  const go = (): void => {
    location.hash = `#/review/${next}`;
  };
  // A letter alone is the class of a beat.
  useKeys({ 'Ctrl+ArrowRight': next === undefined ? undefined : go });
  if (data === undefined) return null;
  return (
    <Button
      variant="default"
      h={44}
      disabled={next === undefined}
      rightSection={<kbd>Ctrl →</kbd>}
      title={t('review.waiting', { count: data.waiting })}
      onClick={go}
    >
      {t('review.next')}
    </Button>
  );
}
