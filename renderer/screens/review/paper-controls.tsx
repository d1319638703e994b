// How the paper is shown: which leads where, how fast, how high.

import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SpeedAndGain } from '../../parts/speed-and-gain.tsx';
import { REVIEW_KINDS, type ReviewKind } from '../../trace/review-layout.ts';
import { type PaperView, REVIEW_GAINS_MM_PER_MV, REVIEW_SPEEDS_MM_PER_S } from './paper.tsx';

export interface PaperControlsProps {
  readonly view: PaperView;
  /** Undefined while they are being read. */
  readonly leadNames: readonly string[] | undefined;
  onView(view: PaperView): void;
}

export function PaperControls({ view, leadNames = [], onView }: PaperControlsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <NativeSelect
        aria-label={t('review.layout')}
        h={44}
        value={view.kind}
        data={REVIEW_KINDS.map((value) => ({ value, label: t(`live.layouts.${value}`) }))}
        onChange={({ currentTarget }) => onView({ ...view, kind: currentTarget.value as ReviewKind })}
      />
      {view.kind === 'single' && (
        <NativeSelect
          aria-label={t('review.lead')}
          h={44}
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
    </>
  );
}
