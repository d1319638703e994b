// Is this who lies on the couch? Two ticks for each recording, and what still has to be done before it can
// start (screens, S1; E1, E3).

import { Button, Checkbox, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownPatient } from '../../../shared/bridge/views.ts';
import { PROOFS, type Proof } from '../../../shared/entry/recording-entry.ts';
import { capitalFamilyName } from '../../../shared/patient-text.ts';
import { useSession } from '../../bridge/use-session.ts';
import type { OpenPoint } from '../../entry/entry-state.ts';
import { useEntry } from '../../entry/use-entry.tsx';
import { letterDay } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { nameOf, patientFacts } from '../../parts/patient-line.tsx';
import classes from './identity.module.css';
import { formOfSame } from './known-patient.ts';
import { MergeDialog } from './merge-dialog.tsx';
import patientClasses from './patient.module.css';

/**
 * A question that has to be answered: it decides under whose name the ECG stands.
 * @param chosen the known patient in the form, if it came from one: then there are two charts
 */
function SamePerson({ known, chosen }: { known: KnownPatient; chosen: KnownPatient | undefined }): ReactNode {
  const { t } = useTranslation();
  const { state, send } = useEntry();
  const { may } = useSession();
  const [isMerging, setMerging] = useState(false);
  const canMerge = chosen !== undefined && chosen.patientId !== known.patientId && may('mergePatients');
  const name = nameOf(known.patient);
  const facts = patientFacts(known.patient);
  return (
    <div className={classes.same} role="alert">
      <b>{t('entry.same')}</b>
      <span>
        {name} · {facts}
      </span>
      <div>
        <Button h={44} variant="default" onClick={() => send(formOfSame(state, known.patient))}>
          {t('entry.sameYes')}
        </Button>
        <Button
          h={44}
          variant="default"
          onClick={() => send({ kind: 'otherPerson', patientId: known.patientId })}
        >
          {t('entry.sameNo')}
        </Button>
        {canMerge && (
          <Button h={44} variant="default" onClick={() => setMerging(true)}>
            {t('merge.open')}
          </Button>
        )}
      </div>
      {isMerging && chosen !== undefined && (
        <MergeDialog
          kept={chosen}
          gone={known}
          onClose={(facts) => {
            setMerging(false);
            if (facts !== undefined) send(formOfSame(state, facts));
          }}
        />
      )}
    </div>
  );
}

function Tick({ what, label, proof }: { what: 'name' | 'birth'; label: string; proof: Proof }): ReactNode {
  const { state, send } = useEntry();
  const isTicked = state[what] !== undefined;
  return (
    <div className={classes.tick} data-ticked={isTicked || undefined}>
      <Checkbox
        size="md"
        label={label}
        checked={isTicked}
        classNames={{ body: classes.tickBody ?? '', labelWrapper: classes.tickLabel ?? '' }}
        onChange={(event) =>
          send({
            kind: 'confirmed',
            what,
            confirmation: event.currentTarget.checked ? { atMs: Date.now(), proof } : undefined,
          })
        }
      />
    </div>
  );
}

function useOpenWords(): (point: OpenPoint) => string {
  const { t } = useTranslation();
  const { state } = useEntry();
  return (point) => {
    switch (point.kind) {
      case 'problem':
        return t(`entry.open.${point.problem.code}`, {
          field: t(`entry.field.${point.problem.field}`),
          defaultValue: t(point.problem.isError ? 'entry.open.error' : 'entry.open.warning', {
            field: t(`entry.field.${point.problem.field}`),
          }),
        });
      case 'same':
        return t('entry.open.same');
      case 'name':
        return t('entry.open.name');
      case 'birth':
        return t(state.form.birthDate.trim() === '' ? 'entry.open.number' : 'entry.open.birth');
    }
  };
}

interface IdentityCheckProps {
  /** What the button at the bottom does: start, or assign. */
  readonly action: ReactNode;
  /** The known patient that the form was filled from. */
  readonly chosen: KnownPatient | undefined;
  onShowField(field: string): void;
  onClear(): void;
}

export function IdentityCheck({ action, chosen, onShowField, onClear }: IdentityCheckProps): ReactNode {
  const { t } = useTranslation();
  const { state, read, open, similar, isEmpty } = useEntry();
  const [proof, setProof] = useState<Proof>('said');
  const openWords = useOpenWords();
  const { request } = read;
  const birth = request.patient_birth_date;
  const patient = {
    ...(request.patient_gender !== undefined && { gender: request.patient_gender }),
    ...(request.patient_id !== undefined && { id: request.patient_id }),
    ...(request.patient_age !== undefined && { ageYears: request.patient_age }),
  };
  const facts = patientFacts(patient);
  const years = patientFacts(birth === undefined ? {} : { birthDate: birth });
  const questions = similar.filter(({ patientId }) => !state.others.has(patientId));
  return (
    <aside className={classes.identity} aria-label={t('entry.check')}>
      <h2>{t('entry.check')}</h2>
      <div className={classes.card}>
        {isEmpty ? (
          <span className="quiet">{t('entry.nobodyYet')}</span>
        ) : (
          <>
            <b>{capitalFamilyName(request.patient_last_name ?? '')}</b>
            <span className={classes.first}>{request.patient_first_name}</span>
            <strong>{birth === undefined ? t('entry.noBirth') : years || letterDay(birth)}</strong>
            <span className="quiet">{facts}</span>
          </>
        )}
      </div>
      {questions.map((known) => (
        <SamePerson key={known.patientId} known={known} chosen={chosen} />
      ))}
      <p className={classes.ask}>
        {t('entry.ask')} <b>{t('entry.askWords')}</b> {t('entry.askRest')}
      </p>
      <Tick what="name" label={t('entry.nameRight')} proof={proof} />
      <Tick
        what="birth"
        label={t(birth === undefined && !isEmpty ? 'entry.numberRight' : 'entry.birthRight')}
        proof={proof}
      />
      <Select
        size="md"
        label={t('entry.proof')}
        value={proof}
        allowDeselect={false}
        comboboxProps={{ withinPortal: true }}
        data={PROOFS.map((value) => ({ value, label: t(`entry.proofs.${value}`) }))}
        onChange={(value) => setProof((value ?? 'said') as Proof)}
      />
      <div className={classes.space} />
      {!isEmpty && open.length > 0 && (
        <div className={`${classes.open} ${patientClasses.inText}`} role="status">
          <Icon name="warning" size={17} />
          <div>
            {t('entry.stillOpen')}{' '}
            {open.map((point, i) => (
              <span key={openWords(point)}>
                {i > 0 && '; '}
                {point.kind === 'problem' ? (
                  <button type="button" onClick={() => onShowField(point.problem.field)}>
                    {openWords(point)}
                  </button>
                ) : (
                  openWords(point)
                )}
              </span>
            ))}
          </div>
        </div>
      )}
      {action}
      <Button h={44} variant="subtle" onClick={onClear} disabled={isEmpty}>
        {t('entry.clear')} <kbd>Esc</kbd>
      </Button>
    </aside>
  );
}
