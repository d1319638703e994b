// A finding of the library, or one in the reader's own words.

import { Autocomplete, type ComboboxParsedItem, type OptionsFilter } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LibraryFinding } from '../../../shared/findings/library/finding.ts';
import { FINDING_LIBRARY } from '../../../shared/findings/library/library.ts';
import type { Correction } from '../../../shared/review/corrections.ts';
import { SEVERITIES, type Severity } from '../../../shared/severity.ts';
import { Segments } from '../../parts/segments.tsx';
import { SeverityShape } from '../../parts/severity-badge.tsx';
import { shownLanguage } from '../../text/text.ts';
import classes from './findings.module.css';
import {
  codeFor,
  hasLimit,
  LIMITS,
  meantCode,
  proposedSeverity,
  searchFindings,
  textOf,
  withLimit,
} from './said-finding.ts';
import { Saying } from './statement-dialogs.tsx';
import type { Reading } from './use-reading.ts';

const MOST_CHARACTERS = 500;
const MOST_SUGGESTED = 12;
const MOST_WORDS_SHOWN = 4;

interface AddStatementProps {
  readonly reading: Reading;
  onSay(change: Correction): void;
  onClose(): void;
}

/** A finding in the list, with what else it is called. */
function Suggestion({ finding, text }: { finding: LibraryFinding; text: string }): ReactNode {
  return (
    <span className={classes.suggestion}>
      <SeverityShape severity={finding.severity} />
      <span>{text}</span>
      <span className={classes.words}>{finding.words.slice(0, MOST_WORDS_SHOWN).join(', ')}</span>
    </span>
  );
}

export function AddStatement({ reading, onSay, onClose }: AddStatementProps): ReactNode {
  const { t } = useTranslation();
  const language = shownLanguage();
  const [text, setText] = useState('');
  /** What was chosen for one finding does not hold for another. */
  const [chosen, setChosen] = useState<{ readonly severity: Severity; readonly code: string | undefined }>();
  const { measurements } = reading;
  const byText = useMemo(
    () => new Map(FINDING_LIBRARY.map((finding) => [textOf(finding, measurements, language), finding])),
    [measurements, language],
  );
  const find: OptionsFilter = ({ search, limit }) =>
    searchFindings(search)
      .findings.slice(0, limit)
      .map((finding): ComboboxParsedItem => {
        const value = textOf(finding, measurements, language);
        return { value, label: value };
      });
  const said = text.trim();
  const code = meantCode(said, measurements, language);
  const severity =
    chosen !== undefined && chosen.code === code
      ? chosen.severity
      : proposedSeverity(said, measurements, language);
  const add = (): void => {
    if (severity !== undefined)
      onSay({
        kind: 'stated',
        code: codeFor(said, measurements, language, reading),
        text: said,
        severity,
      });
  };
  return (
    <Saying
      title={t('review.addTitle')}
      action={t('review.add')}
      isReady={said !== '' && severity !== undefined}
      onSubmit={add}
      onClose={onClose}
    >
      <Autocomplete
        data-autofocus
        label={t('review.words')}
        description={t('review.addHow')}
        value={text}
        data={[...byText.keys()]}
        filter={find}
        limit={MOST_SUGGESTED}
        maxLength={MOST_CHARACTERS}
        selectFirstOptionOnChange={searchFindings(text).isSure}
        openOnFocus={false}
        renderOption={({ option }) => (
          <Suggestion finding={byText.get(option.value) as LibraryFinding} text={option.value} />
        )}
        onChange={setText}
      />
      <fieldset className={classes.usual} aria-label={t('review.limits')}>
        {LIMITS[language].map((limit) => (
          <button
            key={limit}
            type="button"
            className={classes.limit}
            aria-pressed={hasLimit(text, limit, language)}
            disabled={said === ''}
            onClick={() => setText(withLimit(text, limit, language))}
          >
            {limit}
          </button>
        ))}
      </fieldset>
      <div>
        <span className={classes.label}>{t('review.severity')}</span>
        <Segments<Severity>
          label={t('review.severity')}
          name="severity"
          value={severity}
          segments={SEVERITIES.map((value) => ({ value, label: t(`severity.${value}`) }))}
          onChoose={(each) => setChosen({ severity: each, code })}
        />
      </div>
    </Saying>
  );
}
