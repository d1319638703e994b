// What the patient felt or did, from a diary: when by the clock, and in which words.

import { Button, Modal, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../parts/icon.tsx';
import { useMoment } from '../review/moments.ts';
import { clockAt, sampleNearClock } from './clock.ts';
import classes from './day.module.css';
import { useHolter } from './holter.ts';

const MOST_CHARACTERS = 500;

export function EventDialog({ onClose }: { onClose(): void }): ReactNode {
  const { t } = useTranslation();
  const holter = useHolter();
  const { reading, at, correct, goTo } = holter;
  const moment = useMoment();
  const [time, setTime] = useState(clockAt(holter, at));
  const [text, setText] = useState('');
  const isHere = time === clockAt(holter, at);
  const sample = isHere ? Math.round(at) : sampleNearClock(holter, time, at);
  const said = text.trim();
  const isReady = sample !== undefined && said !== '';
  return (
    <Modal opened onClose={onClose} centered title={t('holter.eventTitle')}>
      <form
        className={classes.event}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady) return;
          // Two events of one moment are two.
          const taken = new Set(reading.events.map((each) => each.sample));
          let free = sample;
          while (taken.has(free)) free++;
          correct({ kind: 'eventAdded', sample: free, text: said });
          goTo(sample);
          onClose();
        }}
      >
        <TextInput
          label={t('holter.eventTime')}
          value={time}
          error={sample === undefined ? t('holter.timeHow') : undefined}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
        <TextInput
          label={t('holter.eventText')}
          value={text}
          maxLength={MOST_CHARACTERS}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        {reading.events.length > 0 && (
          <ul>
            {reading.events.map((event) => (
              <li key={event.sample}>
                <b>{moment(event.sample)}</b> {event.text}
                <button
                  type="button"
                  aria-label={t('holter.removeEvent', { text: event.text })}
                  onClick={() => correct({ kind: 'eventRemoved', sample: event.sample })}
                >
                  <Icon name="delete" size={16} />
                </button>
              </li>
            ))}
          </ul>
        )}
        <Button h={48} type="submit" disabled={!isReady}>
          {t('holter.addEvent')}
        </Button>
      </form>
    </Modal>
  );
}
