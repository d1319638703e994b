// Charts that became one: each can be parted again within a month.

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { recordedTime } from '../../parts/format-time.ts';
import { nameOf, patientFacts } from '../../parts/patient-line.tsx';
import classes from './settings.module.css';

export function MergesGroup(): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const { data } = useBridgeQuery('patient.merges', {});
  const part = useCommand('patient.part');
  const queries = useQueryClient();
  const undo = async (mergeId: number): Promise<void> => {
    await part.run({ mergeId });
    await queries.invalidateQueries();
  };
  return (
    <>
      {data !== undefined && data.merges.length === 0 && <p className="quiet">{t('merge.none')}</p>}
      <ul className={classes.list}>
        {data?.merges.map(({ mergeId, mergedMs, kept, gone }) => (
          <li key={mergeId}>
            <b>{nameOf(kept.patient)}</b>
            <span className="quiet">
              {t('merge.line', {
                name: nameOf(gone.patient),
                facts: patientFacts(gone.patient),
                time: recordedTime(mergedMs, true, undefined),
              })}
            </span>
            {may('mergePatients') && (
              <Button h={44} variant="default" onClick={() => void undo(mergeId)}>
                {t('merge.part')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {part.trouble !== undefined && (
        <p role="alert" className={classes.trouble}>
          {part.trouble}
        </p>
      )}
    </>
  );
}
