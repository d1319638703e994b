// What the program asks, one question after the other, in the order of what an answer changes (Holter, section 4).

import { Button } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BeatLabel } from '../../../shared/analysis-result.ts';
import { MOST_BEATS_NAMED } from '../../../shared/review/corrections.ts';
import { groupedNumber } from '../../parts/format-number.ts';
import { Key } from '../../parts/key.tsx';
import { SeverityShape } from '../../parts/severity-badge.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { useMoment } from '../review/moments.ts';
import { DensityPicture } from './density-picture.tsx';
import { factsOf, lengthOf, nameOfEpisode, severityOf } from './episode-words.ts';
import { useHolter } from './holter.ts';
import { LabelChip } from './label-chip.tsx';
import type { Picture } from './model/day.ts';
import { pictureOf, relativesOf } from './model/family-order.ts';
import { type BeatsQuestion, type EpisodeQuestion, type Question, questionsOf } from './model/questions.ts';
import type { ReadFamily } from './model/read-day.ts';
import { PaperStrip } from './paper-strip.tsx';
import classes from './questions.module.css';
import { useDrawnBeats } from './use-family-picture.ts';

const PLACE_SECONDS = 9;
const PLACE_PX = 128;
const ANSWERS = ['V', 'S', 'N', 'F', 'Q'] as const;

export function useQuestions(): ReturnType<typeof questionsOf> {
  const { reading } = useHolter();
  return useMemo(() => questionsOf(reading), [reading]);
}

/** What an answer makes of the counts: `PVC 842 → 889`; undefined where nothing changes. */
function useEffectOf(question: BeatsQuestion): (label: string) => string | undefined {
  const { t } = useTranslation();
  const { reading } = useHolter();
  return (label) => {
    if (label === question.label) return undefined;
    const countOf = (letter: string): number => {
      let count = 0;
      for (const each of reading.beats.labels) if (each === letter.charCodeAt(0)) count++;
      return count;
    };
    return ['V', 'S']
      .filter((letter) => letter === label || letter === question.label)
      .map((letter) => {
        const now = countOf(letter);
        const after = now + (letter === label ? question.beats.length : -question.beats.length);
        return `${t(`holter.counted.${letter}`)} ${groupedNumber(now)} → ${groupedNumber(after)}`;
      })
      .join(', ');
  };
}

/** Words that begin a sentence. */
const asBeginning = (words: string): string =>
  words.replace(/^([¿\s]*)(\p{L})/u, (_, before: string, letter: string) => before + letter.toUpperCase());

function QuestionTitle({ question }: { question: Question }): ReactNode {
  const { t } = useTranslation();
  const words =
    question.kind === 'beats'
      ? t('holter.which', {
          one: t(`holter.class.${question.label}`),
          other: t(`holter.class.${question.next}`),
        })
      : t(`holter.isIt.${question.episode.code}`);
  return asBeginning(words);
}

function QuestionRow({
  question,
  number,
  isChosen,
  onChoose,
}: {
  question: Question;
  number: number;
  isChosen: boolean;
  onChoose(): void;
}): ReactNode {
  const { t } = useTranslation();
  const { reading } = useHolter();
  const moment = useMoment();
  return (
    <li>
      <button
        type="button"
        className={classes.row}
        aria-current={isChosen || undefined}
        onClick={({ detail, currentTarget }) => {
          if (detail > 0) currentTarget.blur();
          onChoose();
        }}
      >
        <span className={classes.number}>{number}</span>
        {question.kind === 'beats' ? (
          <DensityPicture
            picture={pictureOf(reading.day, question.family)}
            cellMv={reading.day.cellMv}
            widthPx={104}
            heightPx={46}
          />
        ) : (
          <span className={classes.shape}>
            <SeverityShape severity={severityOf(question.episode)} />
          </span>
        )}
        <span>
          <b>
            <QuestionTitle question={question} />
          </b>
          <small className="quiet">
            {question.kind === 'beats'
              ? t('holter.beatsOfFamily', { count: question.beats.length, family: question.family.name })
              : `${moment(question.episode.startSample)}, ${lengthOf(question.episode, reading)}`}
          </small>
        </span>
      </button>
    </li>
  );
}

function Nearest({
  words,
  family,
  picture,
}: {
  words: string;
  family: ReadFamily | undefined;
  picture: Picture | undefined;
}): ReactNode {
  const { reading } = useHolter();
  if (family === undefined) return null;
  return (
    <figure>
      <DensityPicture
        picture={picture ?? pictureOf(reading.day, family)}
        cellMv={reading.day.cellMv}
        widthPx={200}
        heightPx={120}
      />
      <figcaption>
        <LabelChip label={family.label} name={family.name} /> {words}
      </figcaption>
    </figure>
  );
}

interface AnswerProps<Q extends Question> {
  readonly question: Q;
  onAnswered(): void;
  onLater(): void;
}

/** Places that show it: the first and one from the middle. */
const placesOf = (beats: readonly number[]): number[] => [
  ...new Set([beats[0] as number, beats[Math.floor(beats.length / 2)] as number]),
];

function BeatsAnswer({ question, onAnswered, onLater }: AnswerProps<BeatsQuestion>): ReactNode {
  const { t } = useTranslation();
  const { reading, mayCorrect, correct, show, chooseFamily } = useHolter();
  const moment = useMoment();
  const effectOf = useEffectOf(question);
  const drawn = useDrawnBeats(question.beats, false);
  const own = drawn?.pictures[0];
  const { day, beats } = reading;
  const { sampleRateHz } = day;
  const relatives = useMemo(
    () => relativesOf(reading, question.family, own ?? pictureOf(day, question.family)),
    [reading, question.family, own, day],
  );
  const nearest = (label: string): ReadFamily | undefined =>
    relatives.find(({ family }) => family.label === label)?.family;
  const answer = (label: BeatLabel): void => {
    if (!mayCorrect) return;
    const samples = question.beats.slice(0, MOST_BEATS_NAMED).map((beat) => beats.samples[beat] as number);
    correct({ kind: 'beats', samples, label });
    onAnswered();
  };
  const seeAll = (): void => {
    chooseFamily(question.family.id);
    show('families');
  };
  useCommands('holterQuestions', {
    normal: () => answer('N'),
    supraventricular: () => answer('S'),
    ventricular: () => answer('V'),
    fusion: () => answer('F'),
    unknown: () => answer('Q'),
    later: onLater,
    allBeats: seeAll,
  });
  const count = Math.round(PLACE_SECONDS * sampleRateHz);
  return (
    <>
      <div className={classes.pictures}>
        <figure data-own="">
          <DensityPicture
            picture={own}
            cellMv={day.cellMv}
            widthPx={300}
            heightPx={120}
            isLarge
            label={t('holter.pictureOf', { family: question.family.name, leads: day.pictureLeads.length })}
          />
          <figcaption>
            <b>{t('holter.theseBeats', { count: question.beats.length })}</b>
          </figcaption>
        </figure>
        {[question.label, question.next].map((label) => (
          <Nearest key={label} words={t('holter.nearest')} family={nearest(label)} picture={undefined} />
        ))}
      </div>
      <div className={classes.places}>
        {placesOf(question.beats).map((beat) => {
          const sample = beats.samples[beat] as number;
          const start = Math.max(0, Math.round(sample - count / 2));
          return (
            <div key={beat}>
              <small>{moment(sample)}</small>
              <PaperStrip
                startSample={start}
                sampleCount={count}
                leads={day.pictureLeads}
                heightPx={PLACE_PX}
                label={t('holter.stripAt', { at: moment(start), seconds: PLACE_SECONDS })}
                tinted={[[sample - 0.2 * sampleRateHz, sample + 0.4 * sampleRateHz]]}
                letters="all"
              />
            </div>
          );
        })}
      </div>
      <div className={classes.answers}>
        {ANSWERS.map((label) => (
          <button
            key={label}
            type="button"
            className={classes.answer}
            data-leaning={label === question.label || undefined}
            disabled={!mayCorrect}
            onClick={() => answer(label)}
          >
            <LabelChip label={label} />
            <span>
              <b>{t(`review.class.${label}`)}</b>
              <small className="quiet">{effectOf(label) ?? t('holter.nothingChanges')}</small>
            </span>
          </button>
        ))}
      </div>
      <div className={classes.beside}>
        <span className="quiet">{t('holter.leaning', { class: t(`holter.class.${question.label}`) })}</span>
        <Button variant="subtle" h={36} onClick={seeAll} rightSection={<Key of="holterQuestions.allBeats" />}>
          {t('holter.allBeats')}
        </Button>
        <Button variant="subtle" h={36} onClick={onLater} rightSection={<Key of="holterQuestions.later" />}>
          {t('holter.later')}
        </Button>
      </div>
    </>
  );
}

function EpisodeAnswer({ question, onAnswered, onLater }: AnswerProps<EpisodeQuestion>): ReactNode {
  const { t } = useTranslation();
  const { reading, mayCorrect, correct } = useHolter();
  const moment = useMoment();
  const { episode } = question;
  const { code, startSample, endSample } = episode;
  const { day } = reading;
  const answer = (kind: 'episodeAccepted' | 'episodeRejected') => (): void => {
    if (!mayCorrect) return;
    correct({ kind, code, startSample, endSample });
    onAnswered();
  };
  useCommands('holterQuestions', {
    yes: answer('episodeAccepted'),
    no: answer('episodeRejected'),
    later: onLater,
  });
  const count = Math.round(PLACE_SECONDS * day.sampleRateHz);
  const isLong = endSample - startSample > count;
  const starts = isLong
    ? [startSample - Math.round(count / 3), endSample - Math.round((2 * count) / 3)]
    : [Math.round((startSample + endSample - count) / 2)];
  const measured =
    code === 'PAUSE' ? { start: startSample, end: endSample, words: lengthOf(episode, reading) } : undefined;
  return (
    <>
      <p className="quiet">
        {[nameOfEpisode(episode), moment(startSample), lengthOf(episode, reading), factsOf(episode, reading)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <div className={classes.places}>
        {starts.map((start) => {
          const from = Math.max(0, Math.min(day.samples - count, start));
          return (
            <div key={start}>
              <small>{moment(from)}</small>
              <PaperStrip
                startSample={from}
                sampleCount={count}
                leads={day.pictureLeads}
                heightPx={PLACE_PX + 20}
                label={t('holter.stripAt', { at: moment(from), seconds: PLACE_SECONDS })}
                tinted={code === 'PAUSE' ? [] : [[startSample, endSample]]}
                tint="rhythm"
                measured={measured}
                letters="all"
              />
            </div>
          );
        })}
      </div>
      <div className={classes.answers}>
        {(['yes', 'no'] as const).map((which) => (
          <button
            key={which}
            type="button"
            className={classes.answer}
            disabled={!mayCorrect}
            onClick={answer(which === 'yes' ? 'episodeAccepted' : 'episodeRejected')}
          >
            <Key of={`holterQuestions.${which}`} />
            <span>
              <b>{t(`holter.answer.${which}`)}</b>
              <small className="quiet">
                {t(`holter.answer.${which}Effect.${code === 'PAUSE' ? 'pause' : 'rhythm'}`)}
              </small>
            </span>
          </button>
        ))}
        <button type="button" className={classes.answer} onClick={onLater}>
          <Key of="holterQuestions.later" />
          <span>
            <b>{t('holter.later')}</b>
            <small className="quiet">{t('holter.laterEffect')}</small>
          </span>
        </button>
      </div>
    </>
  );
}

export function QuestionsView(): ReactNode {
  const { t } = useTranslation();
  const { reading, goTo, show } = useHolter();
  const { questions, leftBeats } = useQuestions();
  const [postponed, setPostponed] = useState<readonly string[]>([]);
  const [key, setKey] = useState<string>();
  // What somebody has put off stands last.
  const ordered = useMemo(() => {
    const place = ({ key: each }: Question): number => postponed.indexOf(each);
    return questions.toSorted((a, b) => place(a) - place(b));
  }, [questions, postponed]);
  const index = Math.max(
    0,
    ordered.findIndex((each) => each.key === key),
  );
  const question = ordered[index];
  const choose = (next: Question | undefined): void => {
    setKey(next?.key);
    if (next === undefined) return;
    goTo(
      next.kind === 'beats'
        ? (reading.beats.samples[next.beats[0] as number] as number)
        : next.episode.startSample,
    );
  };
  useCommands('holterQuestions', {
    questionUp: () => choose(ordered[index - 1] ?? question),
    questionDown: () => choose(ordered[index + 1] ?? question),
  });
  if (question === undefined)
    return (
      <div className="notice">
        <h2>{t('holter.noQuestions')}</h2>
        <p>{leftBeats > 0 ? t('holter.leftBeats', { count: leftBeats }) : t('holter.noQuestionsHow')}</p>
        <Button variant="default" h={44} onClick={() => show('day')} rightSection={<kbd>2</kbd>}>
          {t('holter.view.day')}
        </Button>
      </div>
    );
  const following = ordered[index + 1] ?? ordered[index - 1];
  const props = {
    onAnswered: () => choose(following),
    onLater: () => {
      setPostponed([...postponed.filter((each) => each !== question.key), question.key]);
      choose(following);
    },
  };
  return (
    <div className={classes.view}>
      <section className={classes.list} aria-label={t('holter.view.questions')}>
        <h2>{t('holter.questionCount', { count: ordered.length })}</h2>
        <ol>
          {ordered.map((each, i) => (
            <QuestionRow
              key={each.key}
              question={each}
              number={i + 1}
              isChosen={each === question}
              onChoose={() => choose(each)}
            />
          ))}
        </ol>
        {leftBeats > 0 && <p className="quiet">{t('holter.leftBeats', { count: leftBeats })}</p>}
      </section>
      <section className={classes.one} aria-label={t('holter.chosenQuestion')}>
        <span className="quiet">{t('holter.questionOf', { number: index + 1, count: ordered.length })}</span>
        <h2>
          <QuestionTitle question={question} />
        </h2>
        {question.kind === 'beats' ? (
          <BeatsAnswer key={question.key} question={question} {...props} />
        ) : (
          <EpisodeAnswer key={question.key} question={question} {...props} />
        )}
      </section>
    </div>
  );
}
