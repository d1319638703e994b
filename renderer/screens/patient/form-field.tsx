// One field of the patient's form: its label, its unit, and under it what it means or what is wrong with it,
// with the remedy.

import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { isKept } from '../../entry/entry-state.ts';
import type { FormField as FieldName, PatientForm, Problem } from '../../entry/patient-form.ts';
import { type OpenEntry, useEntry } from '../../entry/use-entry.tsx';
import { Icon } from '../../parts/icon.tsx';
import classes from './form.module.css';
import patientClasses from './patient.module.css';

type TextField = { [F in FieldName]: PatientForm[F] extends string ? F : never }[FieldName];

/** What is said under a field; warnings can be kept. */
export function FieldProblems({ field, isShown }: { field: FieldName; isShown: boolean }): ReactNode {
  const { t } = useTranslation();
  const { state, read, send } = useEntry();
  if (!isShown) return null;
  const problems = read.problems.filter((problem) => problem.field === field && !isKept(state, problem));
  return problems.map((problem) => (
    <div key={problem.code} className={problem.isError ? patientClasses.error : classes.warning}>
      <Icon name="warning" size={16} />
      <div>
        <span>
          {t(`entry.problem.${problem.code}`, { value: state.form[field], suggestion: problem.suggestion })}
        </span>
        {!problem.isError && <Remedies problem={problem} field={field} entry={{ state, send }} />}
      </div>
    </div>
  ));
}

function Remedies({
  problem,
  field,
  entry,
}: {
  problem: Problem;
  field: FieldName;
  entry: Pick<OpenEntry, 'state' | 'send'>;
}): ReactNode {
  const { t } = useTranslation();
  const { suggestion } = problem;
  return (
    <span className={`${classes.remedies} ${patientClasses.inText}`}>
      {suggestion !== undefined && (
        <button type="button" onClick={() => entry.send({ kind: 'edited', change: { [field]: suggestion } })}>
          {t('entry.use', { value: suggestion })}
        </button>
      )}
      <button type="button" onClick={() => entry.send({ kind: 'kept', problem })}>
        {t(`entry.keep.${problem.code}`, {
          value: entry.state.form[field],
          defaultValue: t('entry.keepAsIs'),
        })}
      </button>
    </span>
  );
}

interface TextFieldProps {
  readonly field: TextField;
  readonly unit?: string;
  readonly isReadOnly?: boolean;
  /** Stands in it where it can't be typed into. */
  readonly shown?: string;
  /** What was understood. */
  readonly meaning?: string | undefined;
  readonly isShown: boolean;
  readonly inputMode?: 'numeric' | 'decimal';
  onLeave(field: FieldName): void;
}

export function FormTextField({
  field,
  unit,
  isReadOnly,
  shown,
  meaning,
  isShown,
  inputMode,
  onLeave,
}: TextFieldProps): ReactNode {
  const { t } = useTranslation();
  const { state, read, send } = useEntry();
  const id = useId();
  const open = isShown
    ? read.problems.filter((problem) => problem.field === field && !isKept(state, problem))
    : [];
  const worst = open.find(({ isError }) => isError) ?? open[0];
  return (
    <div className={classes.fieldBox} data-field={field}>
      <label htmlFor={id}>{t(`entry.field.${field}`)}</label>
      <div
        className={classes.input}
        data-problem={worst === undefined ? undefined : worst.isError ? 'error' : 'warning'}
        data-readonly={isReadOnly || undefined}
      >
        <input
          id={id}
          name={field}
          value={isReadOnly === true ? (shown ?? '') : state.form[field]}
          readOnly={isReadOnly}
          inputMode={inputMode}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={worst?.isError === true}
          aria-describedby={`${id}-said`}
          onChange={(event) => send({ kind: 'edited', change: { [field]: event.currentTarget.value } })}
          onBlur={() => onLeave(field)}
        />
        {unit !== undefined && <span className={classes.unit}>{unit}</span>}
      </div>
      <div id={`${id}-said`} className={classes.said} aria-live="polite">
        {meaning !== undefined && worst === undefined && <span className={classes.meaning}>{meaning}</span>}
        <FieldProblems field={field} isShown={isShown} />
      </div>
    </div>
  );
}
