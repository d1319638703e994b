// How the paper is shown: which leads where, how fast, how high.

import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SpeedAndGain } from '../../parts/speed-and-gain.tsx';
import { PAPER_FILTER_NAMES, type PaperFilter } from '../../trace/paper-filter.ts';
import { REVIEW_KINDS, type ReviewKind } from '../../trace/review-layout.ts';
import { type PaperView, REVIEW_GAINS_MM_PER_MV, REVIEW_SPEEDS_MM_PER_S } from './paper.tsx';
import classes from './review.module.css';

interface FilterChoiceProps {
  readonly value: PaperFilter;
  onChoose(filter: PaperFilter): void;
}

/** Chooses the filter of the picture alone; it is named on the paper. */
export function FilterChoice({ value, onChoose }: FilterChoiceProps): ReactNode {
  const { t } = useTranslation();
  return (
    <NativeSelect
      aria-label={t('review.filterOf')}
      className={classes.select ?? ''}
      w={148}
      size="md"
      value={value}
      data={PAPER_FILTER_NAMES.map((name) => ({ value: name, label: t(`review.filterShort.${name}`) }))}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as PaperFilter)}
    />
  );
}

export interface PaperControlsProps {
  readonly view: PaperView;
  /** Undefined while they are being read. */
  readonly leadNames: readonly string[] | undefined;
  /** The axes of the vector can be derived. */
  readonly hasVector?: boolean;
  onView(view: PaperView): void;
}

export function PaperControls({
  view,
  leadNames = [],
  hasVector = false,
  onView,
}: PaperControlsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <NativeSelect
        aria-label={t('review.layout')}
        className={classes.select ?? ''}
        w={116}
        size="md"
        value={view.kind}
        data={REVIEW_KINDS.filter((value) => value !== 'xyz' || hasVector).map((value) => ({
          value,
          label: t(`live.layouts.${value}`),
        }))}
        onChange={({ currentTarget }) => onView({ ...view, kind: currentTarget.value as ReviewKind })}
      />
      {view.kind === 'single' && (
        <NativeSelect
          className={classes.select ?? ''}
          aria-label={t('review.lead')}
          w={84}
          size="md"
          value={view.lead}
          data={[...leadNames]}
          onChange={({ currentTarget }) => onView({ ...view, lead: currentTarget.value })}
        />
      )}
      <SpeedAndGain
        speeds={REVIEW_SPEEDS_MM_PER_S}
        gains={REVIEW_GAINS_MM_PER_MV}
        values={view}
        onChange={(change) => onView({ ...view, ...change })}
      />
      <FilterChoice value={view.filter} onChoose={(filter) => onView({ ...view, filter })} />
    </>
  );
}
