// The order that the form was filled from, and the way to be rid of one whose patient will not come.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../bridge/use-command.ts';
import type { ChosenOrder as Order } from '../../entry/entry-state.ts';
import classes from './search.module.css';

interface ChosenOrderProps {
  readonly order: Order;
  onGone(): void;
}

export function ChosenOrder({ order: { orderId, number, time }, onGone }: ChosenOrderProps): ReactNode {
  const { t } = useTranslation();
  const { run, isRunning, trouble } = useCommand('order.putAway');
  const putAway = async (): Promise<void> => {
    if ((await run({ orderId })) !== undefined) onGone();
  };
  return (
    <div className={classes.chosenOrder}>
      <span className={classes.order}>{[t('order.one'), number, time].filter(Boolean).join(' · ')}</span>
      <button type="button" disabled={isRunning} onClick={() => void putAway()}>
        {t('order.notComing')}
      </button>
      {trouble !== undefined && <p role="alert">{trouble}</p>}
    </div>
  );
}
