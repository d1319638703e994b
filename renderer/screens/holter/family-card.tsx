// A family as a card: how its beats look, how many they are, and how many of them are unsure.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { groupedNumber, shareText } from '../../parts/format-number.ts';
import { DensityPicture } from './density-picture.tsx';
import classes from './families.module.css';
import { LabelChip } from './label-chip.tsx';
import type { Picture } from './model/day.ts';
import type { ReadFamily } from './model/read-day.ts';

export const CARD_PX = { least: 180, picture: 94 } as const;

interface FamilyCardProps {
  readonly family: ReadFamily;
  readonly picture: Picture | undefined;
  readonly cellMv: number;
  /** Its part of all beats of the day. */
  readonly share: number;
  readonly isChosen: boolean;
  readonly widthPx: number;
  onChoose(): void;
}

export function FamilyCard(props: FamilyCardProps): ReactNode {
  const { family, picture, cellMv, share, isChosen, widthPx, onChoose } = props;
  const { t } = useTranslation();
  const count = family.beats.length;
  return (
    <button
      type="button"
      className={classes.card}
      aria-pressed={isChosen}
      data-family={family.id}
      onClick={onChoose}
    >
      <DensityPicture picture={picture} cellMv={cellMv} widthPx={widthPx - 4} heightPx={CARD_PX.picture} />
      <span className={classes.foot}>
        <LabelChip label={family.label} name={family.name} />
        <b>{groupedNumber(count)}</b>
        {family.unsure > 0 ? (
          <span className={classes.unsure}>{t('holter.unsure', { count: family.unsure })}</span>
        ) : (
          <span className="quiet">{family.isRest ? t('holter.rest') : shareText(share)}</span>
        )}
      </span>
    </button>
  );
}
