// All families of a day beside each other, and the chosen one with its relatives and its beats (Holter, section 3).

import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BEAT_LABELS } from '../../../shared/analysis-result.ts';
import { groupedNumber } from '../../parts/format-number.ts';
import { Segments } from '../../parts/segments.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { useWidth } from '../../parts/use-width.ts';
import classes from './families.module.css';
import { CARD_PX, FamilyCard } from './family-card.tsx';
import { FamilyDetail } from './family-detail.tsx';
import { useHolter } from './holter.ts';
import { pictureOf, unsureFirst } from './model/family-order.ts';
import type { ReadFamily } from './model/read-day.ts';

const ALL = 'all';
const GAP_PX = 12;

/** In the order of the first look: while somebody works, nothing changes its place, and what is new stands last. */
function useSteadyOrder(
  families: readonly ReadFamily[],
  isShown: (family: ReadFamily) => boolean,
): ReadFamily[] {
  const [order] = useState(() => unsureFirst(families).map(({ id }) => id));
  return useMemo(() => {
    const placeOf = new Map(order.map((id, place) => [id, place]));
    const place = ({ id }: ReadFamily): number => placeOf.get(id) ?? order.length;
    return families.filter(isShown).toSorted((a, b) => place(a) - place(b) || a.id - b.id);
  }, [families, order, isShown]);
}

export function FamiliesView(): ReactNode {
  const { t } = useTranslation();
  const { reading, family: chosenId, chooseFamily } = useHolter();
  const { ref, widthPx } = useWidth();
  const [filter, setFilter] = useState<string>(ALL);
  const isShown = useMemo(() => (family: ReadFamily) => filter === ALL || family.label === filter, [filter]);
  const families = useSteadyOrder(reading.families, isShown);
  const columns = Math.max(1, Math.floor((widthPx + GAP_PX) / (CARD_PX.least + GAP_PX)));
  const cardPx = (widthPx - GAP_PX * (columns - 1)) / columns;
  const index = Math.max(
    0,
    families.findIndex(({ id }) => id === chosenId),
  );
  // One that its new class hides is what somebody works on all the same.
  const chosen = reading.families.find(({ id }) => id === chosenId) ?? families[index];
  const go = (step: number) => (): void => {
    const next = families[index + step];
    if (next === undefined) return;
    chooseFamily(next.id);
    document.querySelector(`[data-family="${next.id}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  useCommands('holterFamilies', {
    familyLeft: go(-1),
    familyRight: go(1),
    familyUp: go(-columns),
    familyDown: go(columns),
  });
  const beats = reading.beats.samples.length;
  const counts = new Map(
    BEAT_LABELS.map((label) => [label, families.filter((each) => each.label === label).length]),
  );
  return (
    <div className={classes.view}>
      <section className={classes.all} aria-label={t('holter.view.families')}>
        <div className={classes.head}>
          <h2>{t('holter.familyCount', { count: reading.families.length })}</h2>
          <span className="quiet">{t('holter.ofBeats', { beats: groupedNumber(beats) })}</span>
          <Segments<string>
            label={t('holter.filter')}
            name="families"
            value={filter}
            segments={[
              { value: ALL, label: t('holter.all') },
              ...BEAT_LABELS.filter((label) => filter !== ALL || (counts.get(label) ?? 0) > 0).map(
                (label) => ({
                  value: label as string,
                  label: label === 'Q' ? '?' : label,
                  spoken: t(`review.class.${label}`),
                }),
              ),
            ]}
            onChoose={setFilter}
          />
        </div>
        <div className={classes.scroll}>
          <div
            ref={ref}
            className={classes.cards}
            style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
          >
            {widthPx > 0 &&
              families.map((family) => (
                <FamilyCard
                  key={family.id}
                  family={family}
                  picture={pictureOf(reading.day, family)}
                  cellMv={reading.day.cellMv}
                  share={family.beats.length / Math.max(1, beats)}
                  isChosen={family === chosen}
                  widthPx={cardPx}
                  onChoose={() => chooseFamily(family.id)}
                />
              ))}
          </div>
        </div>
      </section>
      {chosen === undefined ? (
        <p className="quiet">{t('holter.noFamilies')}</p>
      ) : (
        <FamilyDetail key={chosen.id} family={chosen} />
      )}
    </div>
  );
}
