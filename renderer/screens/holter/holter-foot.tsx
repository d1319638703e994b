// Below every view of a day: what the last step has done, where one is, and the keys that work now.

import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Place, shownLines } from '../../parts/commands.ts';
import { KeyCap } from '../../parts/key.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { useMoment } from '../review/moments.ts';
import { sampleAtClock } from './clock.ts';
import classes from './holter.module.css';
import { type HolterView, useHolter } from './holter.ts';

const PLACES: Partial<Record<HolterView, Place>> = {
  questions: 'holterQuestions',
  day: 'holterDay',
  families: 'holterFamilies',
  full: 'holterFull',
  strips: 'holterStrips',
};
const SHOWN_KEYS = 5;

/** Goes to a time of the clock. */
function TimeBox(): ReactNode {
  const { t } = useTranslation();
  const holter = useHolter();
  const ref = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  useCommands('holter', { toTime: () => ref.current?.focus() });
  return (
    <form
      className={classes.time}
      onSubmit={(event) => {
        event.preventDefault();
        const sample = sampleAtClock(holter, text, holter.at);
        setWrong(sample === undefined);
        if (sample === undefined) return;
        holter.goTo(sample);
        setText('');
        ref.current?.blur();
      }}
    >
      <input
        ref={ref}
        value={text}
        aria-label={t('holter.toTime')}
        aria-invalid={isWrong || undefined}
        placeholder={t('holter.toTimeHow')}
        onChange={(event) => {
          setWrong(false);
          setText(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          event.stopPropagation();
        }}
      />
      {isWrong && <span role="alert">{t('holter.timeHow')}</span>}
    </form>
  );
}

export function HolterFoot({ changed }: { changed: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const { view, at } = useHolter();
  const moment = useMoment();
  const place = PLACES[view];
  return (
    <footer className={classes.foot}>
      <span role="status">{changed ?? ''}</span>
      <span className={classes.space} />
      <time>{moment(at)}</time>
      <TimeBox />
      {place !== undefined &&
        shownLines(place)
          .slice(0, SHOWN_KEYS)
          .map(({ key, does }) => (
            <span key={does} className={classes.hint}>
              <KeyCap printed={key} /> {t(`keys.does.${does}`)}
            </span>
          ))}
    </footer>
  );
}
