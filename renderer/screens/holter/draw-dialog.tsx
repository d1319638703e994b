// A rhythm that the program has not found, drawn by its times: from when to when by the clock. Its ends can be moved beat by beat
// behind that.

import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DRAWN_CODES, type DrawnCode } from '../../../shared/review/corrections.ts';
import { clockAt, sampleNearClock } from './clock.ts';
import classes from './day.module.css';
import { useHolter } from './holter.ts';

/** As long as what is framed in the band. */
const FIRST_SECONDS = 30;

export function DrawDialog({ onClose }: { onClose(): void }): ReactNode {
  const { t } = useTranslation();
  const holter = useHolter();
  const { reading, at, correct, goTo } = holter;
  const { samples, sampleRateHz } = reading.day;
  const last = Math.min(samples - 1, Math.round(at + FIRST_SECONDS * sampleRateHz));
  const [code, setCode] = useState<DrawnCode>('AFIB');
  const [from, setFrom] = useState(clockAt(holter, at));
  const [to, setTo] = useState(clockAt(holter, last));
  // What nobody has typed over is the very place.
  const start = from === clockAt(holter, at) ? Math.round(at) : sampleNearClock(holter, from, at);
  const end = to === clockAt(holter, last) ? last : sampleNearClock(holter, to, start ?? at);
  const isInOrder = start !== undefined && end !== undefined && start < end;
  return (
    <Modal opened onClose={onClose} centered title={t('holter.drawTitle')}>
      <form
        className={classes.event}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isInOrder) return;
          correct({ kind: 'rhythm', startSample: start, endSample: end, code });
          goTo(start);
          onClose();
        }}
      >
        <NativeSelect
          data-autofocus
          label={t('holter.drawKind')}
          value={code}
          data={DRAWN_CODES.map((value) => ({ value, label: t(`review.rhythm.${value}`) }))}
          onChange={({ currentTarget }) => setCode(currentTarget.value as DrawnCode)}
        />
        <TextInput
          label={t('holter.drawFrom')}
          value={from}
          error={start === undefined ? t('holter.timeHow') : undefined}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <TextInput
          label={t('holter.drawTo')}
          value={to}
          error={
            end === undefined
              ? t('holter.timeHow')
              : start !== undefined && !isInOrder
                ? t('holter.drawOrder')
                : undefined
          }
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <Button h={48} type="submit" disabled={!isInOrder}>
          {t('holter.draw')}
        </Button>
      </form>
    </Modal>
  );
}
