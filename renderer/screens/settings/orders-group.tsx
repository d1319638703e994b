// Orders of the practice system: which folder, how it is read, and a look at what would come of it before it
// counts (E10, E67).

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IsolineError } from '../../../shared/errors.ts';
import type { OrderFolderLook, OrderReading } from '../../../shared/order.ts';
import { useBridge } from '../../bridge/use-bridge.tsx';
import { useSession } from '../../bridge/use-session.ts';
import { useSetting } from '../../bridge/use-settings.ts';
import { nameOf, patientFacts } from '../../parts/patient-line.tsx';
import { warningSentences } from '../../parts/warning-words.ts';
import { errorText } from '../../text/text.ts';
import { ChoiceGroup } from './choice-group.tsx';
import { SettingRow } from './setting-row.tsx';
import classes from './settings.module.css';
import { SHOWN_SETTINGS } from './shown-settings.ts';

function Newest({ look }: { look: OrderFolderLook }): ReactNode {
  const { t } = useTranslation();
  const { newest, files } = look;
  if (newest === undefined) return <p>{t('orders.empty')}</p>;
  return (
    <>
      <p>
        {t('orders.newest', { count: files, name: newest.name, characterSet: newest.characterSet || '–' })}
      </p>
      {newest.trouble !== undefined && <p className={classes.trouble}>{newest.trouble}</p>}
      <ul className={classes.list}>
        {newest.orders.slice(0, 5).map((order, i) => {
          const [name, facts] = [nameOf(order.patient), patientFacts(order.patient)];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one file have no other name
            <li key={i}>
              <b>{name}</b> {facts}{' '}
              {order.warnings.length > 0 && (
                <span className={classes.trouble}>{warningSentences(order.warnings).join(' ')}</span>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

export function OrdersGroup(): ReactNode {
  const { t } = useTranslation();
  const bridge = useBridge();
  const { may } = useSession();
  const folder = useSetting('orders.folder');
  const characterSet = useSetting('orders.characterSet') as OrderReading['characterSet'];
  const dateOrder = useSetting('orders.dateOrder') as OrderReading['dateOrder'];
  const [looked, setLooked] = useState<{
    readonly folder: string;
    readonly look: OrderFolderLook | string;
  }>();
  // What was found in another folder says nothing of this one.
  const look = looked?.folder === folder ? looked.look : undefined;
  const setLook = (found: OrderFolderLook | string): void => setLooked({ folder, look: found });
  const test = async (): Promise<void> => {
    try {
      setLook(await bridge.call('order.look', { folder, characterSet, dateOrder }));
    } catch (error) {
      if (!(error instanceof IsolineError)) throw error;
      setLook(errorText(error));
    }
  };
  return (
    <ChoiceGroup settings={SHOWN_SETTINGS.orders}>
      <SettingRow title={t('orders.test')} effect={t('orders.testText')}>
        <Button
          h={44}
          variant="default"
          disabled={!may('settings') || folder === ''}
          onClick={() => void test()}
        >
          {t('orders.look')}
        </Button>
      </SettingRow>
      <div aria-live="polite" className={classes.answer}>
        {typeof look === 'string' ? (
          <p role="alert" className={classes.trouble}>
            {look}
          </p>
        ) : (
          look !== undefined && <Newest look={look} />
        )}
      </div>
    </ChoiceGroup>
  );
}
