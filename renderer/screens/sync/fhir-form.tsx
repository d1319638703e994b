// Makes a server known that takes results as FHIR: its address, whose numbers the patients' are there, as which client we come, and
// which orders are asked for there.

import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../bridge/use-command.ts';
import { OWN_ORGANIZATION } from './connect-form.tsx';
import { FormText } from './form-text.tsx';
import classes from './sync.module.css';

/** Active orders for an ECG, by the codes that hospitals use for it: LOINC, SNOMED CT. */
const USUAL_ORDERS =
  'status=active&intent=order&code=http://loinc.org|11524-6,http://snomed.info/sct|29303009,http://snomed.info/sct|268400002';

const NOTHING = {
  url: 'https://',
  patientSystem: '',
  clientId: '',
  tokenUrl: '',
  secret: '',
  orders: USUAL_ORDERS,
  label: '',
};
type Typed = typeof NOTHING;

export function FhirForm({ onAdded }: { onAdded: () => void }): ReactNode {
  const { t } = useTranslation();
  const { run, isRunning, trouble } = useCommand('fhir.add');
  const queries = useQueryClient();
  const [typed, setTyped] = useState<Typed>(NOTHING);
  const [isAsked, setAsked] = useState(false);
  const into = (field: keyof Typed) => (text: string) => setTyped({ ...typed, [field]: text });
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const orders = isAsked ? typed.orders : '';
    const server = { ...typed, orders, url: typed.url.trim(), organization: OWN_ORGANIZATION };
    if ((await run(server)) === undefined) return;
    await queries.invalidateQueries({ queryKey: ['sync.overview'] });
    onAdded();
  };
  const line = (field: keyof Typed, most: number, hint?: string): ReactNode => (
    <FormText
      label={t(`sync.fhirForm.${field}`)}
      {...(hint !== undefined && { hint: t(`sync.fhirForm.${hint}`) })}
      value={typed[field]}
      most={most}
      isRequired={field === 'url' || field === 'orders'}
      onType={into(field)}
    />
  );
  return (
    <form className={classes.connect} onSubmit={(event) => void submit(event)}>
      <p>{t('sync.fhirForm.ours')}</p>
      {line('url', 1024)}
      {line('patientSystem', 1024, 'patientSystemHint')}
      {line('clientId', 256, 'clientIdHint')}
      {typed.clientId !== '' && (
        <>
          <PasswordInput
            size="md"
            required
            autoComplete="off"
            label={t('sync.fhirForm.secret')}
            value={typed.secret}
            maxLength={4096}
            onChange={(event) => into('secret')(event.currentTarget.value)}
          />
          {line('tokenUrl', 1024)}
        </>
      )}
      <Checkbox
        size="md"
        label={t('sync.fhirForm.takeOrders')}
        checked={isAsked}
        onChange={(event) => setAsked(event.currentTarget.checked)}
      />
      {isAsked && line('orders', 1024, 'ordersHint')}
      <FormText
        label={t('sync.form.label')}
        hint={t('sync.form.labelHint')}
        value={typed.label}
        most={100}
        onType={into('label')}
      />
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      <Button type="submit" h={48} loading={isRunning}>
        {t('sync.fhirForm.connect')}
      </Button>
    </form>
  );
}
