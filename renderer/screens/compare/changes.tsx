// What has changed since the earlier ECG, in words; and what could pass for a change and is none.

import { t } from 'i18next';
import type { ReactNode } from 'react';
import { findingText } from '../../../shared/findings/finding-text.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import { signedText } from '../../parts/format-number.ts';
import { shownLanguage } from '../../text/text.ts';
import classes from './compare.module.css';
import {
  type ComparedReadings,
  type ComparedValue,
  type OneSidedFinding,
  ST_CHANGE_LIMIT_MV,
} from './compare-readings.ts';

/** `0.05`, `+0.11`, `−0,08`. */
const mvText = (mv: number, isSigned = false): string =>
  new Intl.NumberFormat(shownLanguage(), {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: isSigned ? 'exceptZero' : 'auto',
  })
    .format(mv)
    .replace('-', '−');

const UNITS = { rate: 'perMinute', pr: 'ms', qrs: 'ms', qtc: 'ms', axis: 'degrees' } as const;
export const unitOf = (name: ComparedValue['name']): string => t(`review.unit.${UNITS[name]}`);

const spaced = (name: ComparedValue['name']): string => (name === 'axis' ? '°' : ` ${unitOf(name)}`);
const differenceText = ({ name, difference }: ComparedValue): string =>
  `${t(`compare.value.${name}`)} ${signedText(difference)}${spaced(name)}`;

interface LineProps {
  readonly tag: string;
  readonly isQuiet?: boolean;
  readonly title: string;
  readonly detail?: string | undefined;
}

function Line({ tag, isQuiet = false, title, detail }: LineProps): ReactNode {
  return (
    <li>
      <span className={classes.tag} data-quiet={isQuiet || undefined}>
        {tag}
      </span>
      <div>
        <b>{title}</b>
        {detail !== undefined && <p>{detail}</p>}
      </div>
    </li>
  );
}

function FindingLine({ finding, isNew }: { finding: OneSidedFinding; isNew: boolean }): ReactNode {
  const { statement, isOtherNotAssessed } = finding;
  const kind = isNew ? 'new' : 'gone';
  return (
    <Line
      tag={t(isOtherNotAssessed ? `compare.maybe.${kind}` : `compare.tag.${kind}`)}
      isQuiet={isOtherNotAssessed}
      title={findingText(statement, shownLanguage())}
      detail={isOtherNotAssessed ? t(`compare.notAssessed.${kind}`) : undefined}
    />
  );
}

/** Which way it went, in the word for this value. */
const wayOf = ({ name, difference }: ComparedValue): string =>
  t(`compare.way.${name}.${difference > 0 ? 'up' : 'down'}`);

export function Changes({ compared }: { compared: ComparedReadings }): ReactNode {
  const { appeared, gone, other, values, st, cautions } = compared;
  const marked = values.filter(({ isMarked }) => isMarked);
  const same = values.filter(({ isMarked }) => !isMarked);
  const moved = st.filter(({ isMarked }) => isMarked);
  const most = Math.max(0, ...st.map(({ differenceMv }) => Math.abs(differenceMv)));
  const isStSame = st.length > 0 && moved.length === 0;
  const sameText = [
    ...same.map(differenceText),
    ...(isStSame ? [t('compare.stWithin', { mv: mvText(most) })] : []),
  ].join(', ');
  return (
    <>
      {cautions.map((caution) => (
        <p key={caution} className={classes.caution} role="note">
          {t(`compare.caution.${caution}`)}
        </p>
      ))}
      <ul className={classes.changes}>
        {appeared.map((finding) => (
          <FindingLine key={finding.statement.code} finding={finding} isNew />
        ))}
        {other.map(({ now, before }) => (
          <Line
            key={now.code}
            tag={t('compare.tag.other')}
            title={findingText(now, shownLanguage())}
            detail={t('compare.wasBefore', { text: findingText(before, shownLanguage()) })}
          />
        ))}
        {marked.map((value) => (
          <Line
            key={value.name}
            tag={wayOf(value)}
            title={differenceText(value)}
            detail={t('compare.markedFrom', { limit: `${value.limit}${spaced(value.name)}` })}
          />
        ))}
        {moved.length > 0 && (
          <Line
            tag="ST"
            title={`${t('compare.stAtJ')}: ${moved.map(({ lead, differenceMv }) => `${leadName(lead)} ${mvText(differenceMv, true)} mV`).join(', ')}`}
            detail={t('compare.markedFrom', { limit: `${mvText(ST_CHANGE_LIMIT_MV)} mV` })}
          />
        )}
        {gone.map((finding) => (
          <FindingLine key={finding.statement.code} finding={finding} isNew={false} />
        ))}
        {(same.length > 0 || isStSame) && (
          <Line
            tag={t('compare.tag.same')}
            isQuiet
            title={[
              ...same.map(({ name }) => t(`compare.value.${name}`)),
              ...(isStSame ? [t('compare.stLeads', { count: st.length })] : []),
            ].join(', ')}
            detail={sameText}
          />
        )}
      </ul>
    </>
  );
}
