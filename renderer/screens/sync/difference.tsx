// The patient stands otherwise there than here: both are shown, and nothing is changed by itself (D131).

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SyncItemView } from '../../../shared/bridge/sync-views.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { nameOf, patientFacts } from '../../parts/patient-line.tsx';
import classes from './sync.module.css';

interface DifferenceProps {
  readonly itemId: number;
  readonly here: SyncItemView['patient'];
  readonly there: SyncItemView['patient'];
}

export function Difference({ itemId, here, there }: DifferenceProps): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const { run, isRunning, trouble } = useCommand('sync.settle');
  const sides = [
    [t('sync.here'), nameOf(here), patientFacts(here)],
    [t('sync.there'), nameOf(there), patientFacts(there)],
  ] as const;
  return (
    <div className={classes.question}>
      <p>{t('sync.differs')}</p>
      <dl className={classes.facts}>
        {sides.map(([side, name, facts]) => (
          <div key={side}>
            <dt>{side}</dt>
            <dd>
              <b>{name}</b> {facts}
            </dd>
          </div>
        ))}
      </dl>
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      {may('sync') &&
        (['corrected', 'asNew', 'left'] as const).map((how) => (
          <Button
            key={how}
            h={48}
            variant={how === 'corrected' ? 'filled' : 'default'}
            disabled={isRunning}
            onClick={() => void run({ itemId, how })}
          >
            {t(`sync.settle.${how}`)}
          </Button>
        ))}
    </div>
  );
}
