// What has changed since the earlier ECG, in words; and what could pass for a change and is none.

import { t } from 'i18next';
import type { ReactNode } from 'react';
import { findingText } from '../../../shared/findings/finding-text.ts';
import {
  type ChangedFinding,
  type ComparedReadings,
  type ComparedValue,
  ST_CHANGE_LIMIT_MV,
} from '../../../shared/review/compare-readings.ts';
import { isLeadCode, leadName } from '../../../shared/signal/lead.ts';
import { shownLanguage } from '../../text/text.ts';
import classes from './compare.module.css';

/** `+32`, `−4`, `0`. */
export const signed = (value: number): string => (value > 0 ? `+${value}` : String(value).replace('-', '−'));

const UNITS = { rate: 'perMinute', pr: 'ms', qrs: 'ms', qtc: 'ms', axis: 'degrees' } as const;
export const unitOf = (name: ComparedValue['name']): string => t(`review.unit.${UNITS[name]}`);

const spaced = (name: ComparedValue['name']): string => (name === 'axis' ? '°' : ` ${unitOf(name)}`);
const differenceText = ({ name, difference }: ComparedValue): string =>
  `${t(`compare.value.${name}`)} ${signed(difference)}${spaced(name)}`;

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

function FindingLine({ finding, isNew }: { finding: ChangedFinding; isNew: boolean }): ReactNode {
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

const nameOf = (lead: string): string => (isLeadCode(lead) ? leadName(lead) : lead);

export function Changes({ compared }: { compared: ComparedReadings }): ReactNode {
  const { appeared, gone, values, st, cautions } = compared;
  const marked = values.filter(({ isMarked }) => isMarked);
  const same = values.filter(({ isMarked }) => !isMarked);
  const moved = st.filter(({ isMarked }) => isMarked);
  const most = Math.max(0, ...st.map(({ differenceMv }) => Math.abs(differenceMv)));
  const isStSame = st.length > 0 && moved.length === 0;
  const sameText = [
    ...same.map(differenceText),
    ...(isStSame ? [t('compare.stWithin', { mv: most.toFixed(2) })] : []),
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
            title={`${t('compare.stAtJ')}: ${moved.map(({ lead, differenceMv }) => `${nameOf(lead)} ${signed(differenceMv)} mV`).join(', ')}`}
            detail={t('compare.markedFrom', { limit: `${ST_CHANGE_LIMIT_MV} mV` })}
          />
        )}
        {gone.map((finding) => (
          <FindingLine key={finding.statement.code} finding={finding} isNew={false} />
        ))}
        {(same.length > 0 || isStSame) && (
          <Line
            tag={t('compare.tag.same')}
            isQuiet
            title={[...same.map(({ name }) => t(`compare.value.${name}`)), ...(isStSame ? ['ST'] : [])].join(
              ', ',
            )}
            detail={sameText}
          />
        )}
      </ul>
    </>
  );
}
