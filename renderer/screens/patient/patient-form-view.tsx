// The patient's form (screens, S1). What is typed means what the line under the field says; nothing of it
// comes from the patient before.

import { Checkbox, Select, TagsInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { fullYears } from '../../../shared/civil-time.ts';
import type { FormField, PatientForm } from '../../entry/patient-form.ts';
import { OWN_TIME_ZONE, useEntry } from '../../entry/use-entry.tsx';
import { letterDay } from '../../parts/format-time.ts';
import { Segments } from '../../parts/segments.tsx';
import { useDesk } from '../../parts/use-desk.ts';
import classes from './form.module.css';
import { FieldProblems, FormTextField } from './form-field.tsx';

const TIME_ZONES = Intl.supportedValuesOf('timeZone');

import { GENDERS } from '../../../shared/signal/recording.ts';

interface PatientFormViewProps {
  readonly isAssigning: boolean;
  /** Fields that were left, or everything: what is wrong with them is said. */
  isShown(field: FormField): boolean;
  onLeave(field: FormField): void;
}

function Chips({
  field,
  isShown,
  onLeave,
}: { field: 'indications' | 'tags' } & Omit<PatientFormViewProps, 'isAssigning'>): ReactNode {
  const { t } = useTranslation();
  const { state, send } = useEntry();
  const id = useId();
  const change = (items: string[]): void =>
    send({ kind: 'edited', change: { [field]: items } as Partial<PatientForm> });
  return (
    <div className={classes.fieldBox} data-field={field}>
      <label htmlFor={id}>
        {t(`entry.field.${field}`)} <span className="quiet">{t(`entry.hint.${field}`)}</span>
      </label>
      <TagsInput
        id={id}
        size="md"
        value={[...state.form[field]]}
        onChange={change}
        placeholder={state.form[field].length === 0 ? t('entry.add') : ''}
        acceptValueOnBlur
        clearable={false}
        maxTags={100}
        classNames={{ input: classes.chips ?? '' }}
        onBlur={() => onLeave(field)}
      />
      <FieldProblems field={field} isShown={isShown(field)} />
    </div>
  );
}

/** Where the patient is, for the clock on the report; the data hold UTC. */
function TimeZone({ isShown }: { isShown: boolean }): ReactNode {
  const { t } = useTranslation();
  const { state, send } = useEntry();
  const id = useId();
  return (
    <div className={classes.fieldBox} data-field="timeZone">
      <label htmlFor={id}>{t('entry.field.timeZone')}</label>
      <Select
        id={id}
        size="md"
        searchable
        limit={50}
        value={state.form.timeZone || OWN_TIME_ZONE}
        data={TIME_ZONES}
        nothingFoundMessage={t('entry.noZone')}
        allowDeselect={false}
        comboboxProps={{ keepMounted: false }}
        classNames={{ input: classes.chips ?? '' }}
        onChange={(zone) =>
          send({ kind: 'edited', change: { timeZone: zone === null || zone === OWN_TIME_ZONE ? '' : zone } })
        }
      />
      <FieldProblems field="timeZone" isShown={isShown || state.form.timeZone !== ''} />
    </div>
  );
}

function AutoComplete(): ReactNode {
  const { t } = useTranslation();
  const { state, send } = useEntry();
  const { isAutoComplete } = state.form;
  return (
    <div className={classes.auto} data-field="isAutoComplete">
      <Checkbox
        size="md"
        label={t('entry.field.isAutoComplete')}
        checked={isAutoComplete}
        onChange={(event) =>
          send({ kind: 'edited', change: { isAutoComplete: event.currentTarget.checked } })
        }
      />
      <span className="quiet">{t(isAutoComplete ? 'entry.autoOn' : 'entry.autoOff')}</span>
    </div>
  );
}

export function PatientFormView({ isAssigning, isShown, onLeave }: PatientFormViewProps): ReactNode {
  const { t } = useTranslation();
  const { state, read, send } = useEntry();
  const { device } = useDesk();
  const field = (name: FormField) => ({ isShown: isShown(name), onLeave });
  const birthDate = read.request.patient_birth_date;
  const age = birthDate === undefined ? undefined : fullYears(birthDate, Date.now());
  return (
    <div className={classes.form}>
      <div className={classes.two}>
        <FormTextField field="lastName" {...field('lastName')} />
        <FormTextField field="firstName" {...field('firstName')} />
      </div>
      <div className={classes.birthRow}>
        <FormTextField
          field="birthDate"
          {...field('birthDate')}
          meaning={birthDate === undefined ? undefined : letterDay(birthDate)}
        />
        <FormTextField
          field="age"
          {...field('age')}
          unit={t('entry.years')}
          inputMode="numeric"
          isReadOnly={state.form.birthDate.trim() !== ''}
          shown={age === undefined ? '' : String(age)}
        />
        <FormTextField field="patientNumber" {...field('patientNumber')} />
      </div>
      <div className={classes.fieldBox} data-field="gender">
        <span className={classes.label}>{t('entry.field.gender')}</span>
        <Segments
          isWide
          label={t('entry.field.gender')}
          name="gender"
          value={state.form.gender === '' ? undefined : state.form.gender}
          segments={GENDERS.map((value) => ({ value, label: t(`entry.gender.${value}`) }))}
          onChoose={(gender) => send({ kind: 'edited', change: { gender } })}
        />
        <FieldProblems field="gender" isShown={isShown('gender')} />
      </div>
      <div className={classes.three}>
        <FormTextField field="heightCm" {...field('heightCm')} unit="cm" inputMode="decimal" />
        <FormTextField field="weightKg" {...field('weightKg')} unit="kg" inputMode="decimal" />
        <FormTextField field="investigation" {...field('investigation')} />
      </div>
      <Chips field="indications" isShown={isShown} onLeave={onLeave} />
      <Chips field="tags" isShown={isShown} onLeave={onLeave} />
      {!isAssigning && (
        <div className={classes.two}>
          <div className={classes.fieldBox}>
            <span className={classes.label}>{t('entry.device')}</span>
            <a className={classes.fact} href="#/devices">
              {device === undefined ? t('entry.noDevice') : device.name}
              <span className={classes.unit}>
                {device === undefined ? '' : t(`devices.state.${device.state}`)}
              </span>
            </a>
          </div>
          <div className={classes.fieldBox}>
            <span className={classes.label}>
              {t('entry.start')} <span className="quiet">{t('entry.startHint')}</span>
            </span>
            <span className={classes.fact}>{t('entry.startWhen')}</span>
          </div>
          <TimeZone isShown={isShown('timeZone')} />
          <AutoComplete />
        </div>
      )}
    </div>
  );
}
