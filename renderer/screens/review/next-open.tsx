// On to the next recording that waits to be read, the gravest first.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { goOn } from '../../parts/go-on.ts';
import { Key } from '../../parts/key.tsx';
import { useCommands } from '../../parts/use-keys.ts';

/** @param behind the one that is open; absent where none is */
export function NextOpen({ behind }: { behind?: number }): ReactNode {
  const { t } = useTranslation();
  const { data, refetch } = useBridgeQuery('review.next', behind === undefined ? {} : { behind });
  const go = async (): Promise<void> => {
    // A key may be pressed before the workstation has answered which one is next.
    const from = location.hash;
    const found = data ?? (await refetch({ cancelRefetch: false })).data;
    if (found?.taskId !== undefined) goOn(from, `#/review/${found.taskId}`);
  };
  const isLast = data !== undefined && data.taskId === undefined;
  // A letter alone is the class of a beat.
  useCommands('review', { nextOpen: isLast ? undefined : () => void go() });
  if (data === undefined) return null;
  return (
    <Button
      variant="default"
      h={44}
      disabled={isLast}
      rightSection={<Key of="review.nextOpen" />}
      title={t('review.waiting', { count: data.waiting })}
      onClick={() => void go()}
    >
      {t('review.next')}
    </Button>
  );
}
