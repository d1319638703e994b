// The phrases of whoever reads: each by its number, and the findings that are shown now kept as a new one.

import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskDetail } from '../../../../shared/bridge/views.ts';
import { LONGEST_PHRASE_NAME, type NewPhrase, type Phrase } from '../../../../shared/review/phrases.ts';
import { useCommand } from '../../../bridge/use-command.ts';
import { Icon } from '../../../parts/icon.tsx';
import { KeyCap } from '../../../parts/key.tsx';
import { Segments } from '../../../parts/segments.tsx';
import { shownLanguage } from '../../../text/text.ts';
import type { Reading } from '../use-reading.ts';
import classes from './phrases.module.css';
import { keepable } from './said-phrase.ts';
import type { Phrases } from './use-phrases.ts';

const MOST_BY_KEY = 10;

interface KeepProps {
  readonly reading: Reading;
  readonly patient: TaskDetail['patient'];
}

function Keep({ reading, patient }: KeepProps): ReactNode {
  const { t } = useTranslation();
  const keep = useCommand('phrase.keep');
  const [name, setName] = useState('');
  const [isWhole, setWhole] = useState(false);
  const [isKept, setKept] = useState(false);
  const { findings, left } = keepable(reading, patient, shownLanguage());
  // What a person has said is more likely to be said again than all that the program found here.
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => {
    const persons = findings.filter(({ isPersons }) => isPersons);
    return new Set((persons.length > 0 ? persons : findings).map(({ text }) => text));
  });
  const kept = findings.filter(({ text }) => chosen.has(text));
  const isReady = name.trim() !== '' && kept.length > 0;
  return (
    <form
      className={classes.keep}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        const said = kept.map(({ isPersons: _isPersons, ...finding }) => finding);
        void keep.run({ name: name.trim(), isWhole, findings: said }).then((done) => {
          setKept(done !== undefined);
          if (done !== undefined) setName('');
        });
      }}
    >
      <h3>{t('review.phrase.keepTitle')}</h3>
      {findings.length === 0 ? (
        <p>{t('review.phrase.nothingToKeep')}</p>
      ) : (
        <ul>
          {findings.map(({ text }) => (
            <li key={text}>
              <Checkbox
                checked={chosen.has(text)}
                label={text}
                onChange={() =>
                  setChosen(
                    new Set(
                      findings.flatMap((each) =>
                        chosen.has(each.text) === (each.text === text) ? [] : each.text,
                      ),
                    ),
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
      {left.length > 0 && <p className="quiet">{t('review.phrase.left', { texts: left.join('; ') })}</p>}
      <div className={classes.fields}>
        <TextInput
          label={t('review.phrase.name')}
          value={name}
          maxLength={LONGEST_PHRASE_NAME}
          onChange={({ currentTarget }) => {
            setKept(false);
            setName(currentTarget.value);
          }}
        />
        <Segments<'adds' | 'replaces'>
          label={t('review.phrase.kind')}
          name="phraseKind"
          value={isWhole ? 'replaces' : 'adds'}
          segments={(['adds', 'replaces'] as const).map((value) => ({
            value,
            label: t(`review.phrase.${value}`),
          }))}
          onChoose={(value) => setWhole(value === 'replaces')}
        />
        <Button h={44} type="submit" disabled={!isReady}>
          {t('review.phrase.keep')}
        </Button>
      </div>
      <p role="status">{keep.trouble ?? (isKept ? t('review.phrase.kept') : '')}</p>
    </form>
  );
}

interface PhrasesDialogProps {
  readonly phrases: Phrases;
  readonly reading: Reading;
  readonly patient: TaskDetail['patient'];
  onClose(): void;
}

export function PhrasesDialog({ phrases, reading, patient, onClose }: PhrasesDialogProps): ReactNode {
  const { t } = useTranslation();
  const remove = useCommand('phrase.remove');
  const { own, normal } = phrases;
  /** By the number that says it. */
  const all: readonly (readonly [number: number, phrase: NewPhrase & Partial<Phrase>])[] = [
    ...(normal === undefined ? [] : [[0, normal] as const]),
    ...own.map((phrase, i) => [i + 1, phrase] as const),
  ];
  const say = (phrase: NewPhrase | undefined): void => {
    if (phrase === undefined) return;
    onClose();
    phrases.say(phrase);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLInputElement && event.target.type === 'text') return;
    if (!/^\d$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    say(all.find(([number]) => number === Number(event.key))?.[1]);
  };
  return (
    <Modal opened onClose={onClose} title={t('review.phrase.title')} centered size="lg" onKeyDown={onKeyDown}>
      <p className="quiet">{t('review.phrase.how')}</p>
      <ul className={classes.phrases}>
        {all.map(([number, phrase], place) => (
          <li key={phrase.phraseId ?? 0}>
            <button
              type="button"
              className={classes.phrase}
              data-autofocus={place === 0 || undefined}
              aria-label={t('review.phrase.say', { name: phrase.name })}
              onClick={() => say(phrase)}
            >
              {number < MOST_BY_KEY && <KeyCap printed={String(number)} />}
              <span>
                <b>{phrase.name}</b> {phrase.isWhole && <em>{t('review.phrase.whole')}</em>}
                <small>{phrase.findings.map(({ text }) => text).join(' · ')}</small>
              </span>
            </button>
            {phrase.phraseId !== undefined && (
              <button
                type="button"
                className={classes.remove}
                aria-label={t('review.phrase.remove', { name: phrase.name })}
                title={t('review.phrase.remove', { name: phrase.name })}
                onClick={() => void remove.run({ phraseId: phrase.phraseId as number })}
              >
                <Icon name="cross" size={16} />
              </button>
            )}
          </li>
        ))}
      </ul>
      <Keep reading={reading} patient={patient} />
    </Modal>
  );
}
