// Two charts of one person become one: what differs is chosen, a reason is given, and it can be undone for a
// month (screens, S1; E15).

import { Button, Modal, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownPatient } from '../../../shared/bridge/views.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { letterDay } from '../../parts/format-time.ts';
import { nameOf, patientFacts } from '../../parts/patient-line.tsx';
import { Segments } from '../../parts/segments.tsx';
import classes from './merge.module.css';
import patientClasses from './patient.module.css';

type Facts = KnownPatient['patient'];
const FIELDS = ['lastName', 'firstName', 'birthDate', 'gender', 'id', 'heightCm', 'weightG'] as const;
type Field = (typeof FIELDS)[number];
type Side = 'kept' | 'gone';

function useShown(): (field: Field, facts: Facts) => string {
  const { t } = useTranslation();
  return (field, facts) => {
    const value = facts[field];
    if (value === undefined) return '–';
    if (field === 'birthDate') return letterDay(String(value));
    if (field === 'gender') return t(`entry.gender.${value as 'FEMALE'}`);
    if (field === 'heightCm') return `${value} cm`;
    return field === 'weightG' ? `${Number(value) / 1000} kg` : String(value);
  };
}

interface MergeDialogProps {
  readonly kept: KnownPatient;
  readonly gone: KnownPatient;
  /** @param facts of the one chart; undefined where nothing was done */
  onClose(facts: Facts | undefined): void;
}

export function MergeDialog({ kept, gone, onClose }: MergeDialogProps): ReactNode {
  const { t } = useTranslation();
  const merge = useCommand('patient.merge');
  const queries = useQueryClient();
  const shown = useShown();
  const differing = FIELDS.filter((field) => kept.patient[field] !== gone.patient[field]);
  const [sides, setSides] = useState<Partial<Record<Field, Side>>>(() =>
    Object.fromEntries(
      differing.map((field) => [field, kept.patient[field] === undefined ? 'gone' : 'kept']),
    ),
  );
  const [reason, setReason] = useState('');
  const join = async (): Promise<void> => {
    const chosen = Object.fromEntries(
      differing.map((field) => [field, (sides[field] === 'gone' ? gone : kept).patient[field]]),
    );
    const facts = Object.fromEntries(
      Object.entries({ ...kept.patient, ...chosen }).filter(([, value]) => value !== undefined),
    ) as Facts;
    const done = await merge.run({ keptId: kept.patientId, goneId: gone.patientId, facts, reason });
    if (done === undefined) return;
    for (const name of ['patient.search', 'patient.similar', 'patient.merges'])
      await queries.invalidateQueries({ queryKey: [name] });
    onClose(facts);
  };
  return (
    <Modal opened onClose={() => onClose(undefined)} title={t('merge.title')} centered size="lg">
      <p className="quiet">{t('merge.text')}</p>
      <p className={classes.mergeWho}>
        <b>{nameOf(kept.patient)}</b> {patientFacts(kept.patient)}
        <br />
        <b>{nameOf(gone.patient)}</b> {patientFacts(gone.patient)}
      </p>
      {differing.map((field) => (
        <div key={field} className={classes.mergeField}>
          <span>{t(`merge.field.${field}`)}</span>
          <Segments
            isWide
            label={t(`merge.field.${field}`)}
            name={`merge-${field}`}
            value={sides[field] ?? 'kept'}
            segments={[
              { value: 'kept' as Side, label: shown(field, kept.patient) },
              { value: 'gone' as Side, label: shown(field, gone.patient) },
            ]}
            onChoose={(side) => setSides({ ...sides, [field]: side })}
          />
        </div>
      ))}
      <Textarea
        label={t('reason.label')}
        value={reason}
        minRows={2}
        maxLength={1000}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {merge.trouble !== undefined && (
        <p role="alert" className={patientClasses.error}>
          {merge.trouble}
        </p>
      )}
      <div className={classes.mergeButtons}>
        <Button variant="default" h={48} data-autofocus onClick={() => onClose(undefined)}>
          {t('reason.cancel')}
        </Button>
        <Button h={48} loading={merge.isRunning} onClick={() => void join()}>
          {t('merge.action')}
        </Button>
      </div>
    </Modal>
  );
}
