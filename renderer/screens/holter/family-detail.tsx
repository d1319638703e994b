// One family: its picture large, what is most like it, what its beats are called, and its beats in their place, the least alike first.

import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BEAT_LABELS, type BeatLabel, NO_LIKENESS } from '../../../shared/analysis-result.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import { decimalText, groupedNumber, shareText } from '../../parts/format-number.ts';
import { Key } from '../../parts/key.tsx';
import { Segments } from '../../parts/segments.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { useWidth } from '../../parts/use-width.ts';
import { useMoment } from '../review/moments.ts';
import { DensityPicture } from './density-picture.tsx';
import { DivideDialog } from './divide-dialog.tsx';
import classes from './families.module.css';
import { useHolter } from './holter.ts';
import { LabelChip } from './label-chip.tsx';
import { labelOfFamilies, leastAlike, mergeOf, type Relative, relativesOf } from './model/family-order.ts';
import type { DayReading, ReadFamily } from './model/read-day.ts';
import { Thumb } from './thumb.tsx';
import { useFamilyPicture } from './use-family-picture.ts';
import { useRows } from './use-rows.ts';

const SHOWN_BEATS = 60;
const BEAT_SECONDS = 6;
const BEAT_PX = 40;
const RELATIVES = 3;
/** From here on, all that is alike is one to a reader. */
const ALIKE = 0.85;
const SCOPES = ['chosen', 'family', 'alike'] as const;
type Scope = (typeof SCOPES)[number];

interface Choosing {
  readonly beats: readonly number[];
  readonly chosen: ReadonlySet<number>;
  toggle(beat: number): void;
}

/** Beats that somebody picks out. */
function useChoosing(reading: DayReading, family: ReadFamily): Choosing {
  const [order, setOrder] = useState<readonly number[]>();
  // The list keeps its order while its beats are named.
  const beats = order ?? leastAlike(reading, family, SHOWN_BEATS);
  if (order === undefined) setOrder(beats);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  return {
    beats,
    chosen,
    toggle(beat) {
      const next = new Set(chosen);
      if (!next.delete(beat)) next.add(beat);
      setChosen(next);
    },
  };
}

/** Up and down go from box to box. */
function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const boxes = [...event.currentTarget.querySelectorAll('input')];
  const next = boxes[boxes.indexOf(event.target as HTMLInputElement) + step];
  next?.focus();
  next?.closest('label')?.scrollIntoView({ block: 'nearest' });
}

function BeatList({ choosing }: { choosing: Choosing }): ReactNode {
  const { t } = useTranslation();
  const moment = useMoment();
  const { reading, lead, goTo } = useHolter();
  const { ref, widthPx } = useWidth<HTMLFieldSetElement>();
  const { samples, labels } = reading.beats;
  const { sampleRateHz } = reading.day;
  const { beats } = choosing;
  const count = Math.round(BEAT_SECONDS * sampleRateHz);
  const spans = useMemo(
    () =>
      beats.map((beat) => ({
        startSample: Math.max(0, (samples[beat] as number) - Math.round(count / 2)),
        sampleCount: count,
      })),
    [beats, samples, count],
  );
  const thumbPx = Math.max(80, widthPx - 212);
  const rows = useRows(reading.day, lead, spans, widthPx === 0 ? 0 : 400);
  const halfBeat = 0.3 / BEAT_SECONDS;
  return (
    <fieldset ref={ref} className={classes.beats} aria-label={t('holter.beats')} onKeyDown={moveInList}>
      {beats.map((beat, i) => {
        const sample = samples[beat] as number;
        const likeness = reading.day.likeness[beat] as number;
        const letter = String.fromCharCode(labels[beat] as number);
        const middle = (sample - (spans[i]?.startSample ?? 0)) / count;
        return (
          <label key={beat} className={classes.beat}>
            <input
              type="checkbox"
              checked={choosing.chosen.has(beat)}
              aria-label={t('holter.beatAt', { time: moment(sample) })}
              onFocus={() => goTo(sample)}
              onChange={() => choosing.toggle(beat)}
            />
            <span>
              <b>{moment(sample)}</b>
              <small className="quiet">
                {likeness === NO_LIKENESS
                  ? ''
                  : t('holter.likeness', { value: decimalText(likeness / 100, 2) })}
              </small>
            </span>
            <Thumb
              columns={rows[i]}
              seconds={BEAT_SECONDS}
              widthPx={thumbPx}
              heightPx={BEAT_PX}
              marked={[middle - halfBeat, middle + halfBeat]}
            />
            <LabelChip label={letter} />
          </label>
        );
      })}
    </fieldset>
  );
}

function Relatives({ relatives, cellMv }: { relatives: readonly Relative[]; cellMv: number }): ReactNode {
  const { t } = useTranslation();
  const { chooseFamily } = useHolter();
  if (relatives.length === 0) return null;
  return (
    <div className={classes.relatives}>
      <h3>{t('holter.relatives')}</h3>
      {relatives.slice(0, RELATIVES).map(({ family, alike }) => (
        <RelativeRow key={family.id} family={family} alike={alike} cellMv={cellMv} onChoose={chooseFamily} />
      ))}
    </div>
  );
}

function RelativeRow({
  family,
  alike,
  cellMv,
  onChoose,
}: Relative & { cellMv: number; onChoose(family: number): void }): ReactNode {
  const picture = useFamilyPicture(family);
  return (
    <button type="button" className={classes.relative} onClick={() => onChoose(family.id)}>
      <DensityPicture picture={picture} cellMv={cellMv} widthPx={76} heightPx={40} />
      <span>
        <LabelChip label={family.label} name={family.name} />
        <small>{decimalText(alike, 2)}</small>
      </span>
    </button>
  );
}

export function FamilyDetail({ family }: { family: ReadFamily }): ReactNode {
  const { t } = useTranslation();
  const { reading, mayCorrect, correct } = useHolter();
  const { day } = reading;
  const picture = useFamilyPicture(family);
  const relatives = useMemo(() => relativesOf(reading, family, picture), [reading, family, picture]);
  const choosing = useChoosing(reading, family);
  const [wanted, setScope] = useState<Scope>();
  const [isDividing, setDividing] = useState(false);
  const alike = relatives
    .filter((each) => each.alike >= ALIKE && each.family.whole !== undefined)
    .map((each) => each.family);
  const alikeCount = alike.reduce((sum, { beats }) => sum + beats.length, family.beats.length);
  const chosenCount = choosing.chosen.size;
  const scope = wanted ?? (chosenCount > 0 ? 'chosen' : 'family');
  const counts: Record<Scope, number> = {
    chosen: chosenCount,
    family: family.beats.length,
    alike: alikeCount,
  };
  const [nearest] = relatives;
  const mayMerge = mayCorrect && nearest !== undefined && !family.isRest;
  const stepFor = (label: BeatLabel) => {
    if (scope === 'chosen')
      return chosenCount === 0
        ? undefined
        : ({
            kind: 'beats',
            samples: [...choosing.chosen].map((beat) => reading.beats.samples[beat] as number),
            label,
          } as const);
    return labelOfFamilies(reading, scope === 'alike' ? [family, ...alike] : [family], label);
  };
  const say = (label: BeatLabel): void => {
    const step = mayCorrect ? stepFor(label) : undefined;
    if (step !== undefined) correct(step);
  };
  const merge = (): void => {
    if (mayMerge) correct(mergeOf(reading, family, nearest.family));
  };
  const mayDivide = mayCorrect && family.beats.length > 1;
  useCommands('holterFamilies', {
    normal: () => say('N'),
    supraventricular: () => say('S'),
    ventricular: () => say('V'),
    fusion: () => say('F'),
    unknown: () => say('Q'),
    merge: mayMerge ? merge : undefined,
    divide: mayDivide ? () => setDividing(true) : undefined,
    scope: () => setScope(SCOPES[(SCOPES.indexOf(scope) + 1) % SCOPES.length]),
  });
  const isTooMany = scope !== 'chosen' && stepFor('N') === undefined;
  return (
    <section className={classes.detail} aria-label={t('holter.chosenFamily')}>
      <header className={classes.detailHead}>
        <LabelChip label={family.label} name={family.name} />
        <div>
          <h2>
            {t(`holter.beatsOf.${family.label}`, {
              count: family.beats.length,
              number: groupedNumber(family.beats.length),
            })}
          </h2>
          <span className="quiet">
            {t('holter.shareOfBeats', {
              share: shareText(family.beats.length / Math.max(1, reading.beats.samples.length)),
            })}
          </span>
        </div>
      </header>
      <div className={classes.large}>
        <div className={classes.largePicture}>
          <DensityPicture
            picture={picture}
            cellMv={day.cellMv}
            widthPx={320}
            heightPx={180}
            isLarge
            label={t('holter.pictureOf', {
              family: family.name,
              leads: day.pictureLeads.map(leadName).join(', '),
            })}
          />
          <small className="quiet">{day.pictureLeads.map(leadName).join(' · ')}</small>
        </div>
        <Relatives relatives={relatives} cellMv={day.cellMv} />
      </div>
      <div className={classes.actions}>
        <fieldset className={classes.labels} aria-label={t('holter.label')}>
          {BEAT_LABELS.map((label) => (
            <button
              key={label}
              type="button"
              aria-pressed={family.label === label}
              aria-label={t(`review.class.${label}`)}
              title={t(`review.class.${label}`)}
              disabled={!mayCorrect || isTooMany || (scope === 'chosen' && chosenCount === 0)}
              onClick={() => say(label)}
            >
              {label === 'Q' ? '?' : label}
            </button>
          ))}
        </fieldset>
        <Button
          variant="default"
          h={40}
          px={12}
          disabled={!mayMerge}
          rightSection={<Key of="holterFamilies.merge" />}
          onClick={merge}
        >
          {nearest === undefined ? t('holter.merge') : t('holter.mergeWith', { family: nearest.family.name })}
        </Button>
        <Button
          variant="default"
          h={40}
          px={12}
          disabled={!mayDivide}
          rightSection={<Key of="holterFamilies.divide" />}
          onClick={() => setDividing(true)}
        >
          {t('holter.divide')}
        </Button>
      </div>
      <div className={classes.head}>
        <h3>{t('holter.leastAlikeFirst')}</h3>
        <Segments<Scope>
          label={t('holter.labelFor')}
          name="scope"
          value={scope}
          segments={SCOPES.map((value) => ({
            value,
            label: t(`holter.scope.${value}`, { number: groupedNumber(counts[value]) }),
          }))}
          onChoose={setScope}
        />
      </div>
      {isTooMany && <p role="status">{t('holter.tooMany')}</p>}
      <BeatList choosing={choosing} />
      {isDividing && <DivideDialog family={family} onClose={() => setDividing(false)} />}
    </section>
  );
}
