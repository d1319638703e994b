// Makes a server known that takes results as FHIR: its address, whose numbers the patients' are there, and as which client we come.

import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../bridge/use-command.ts';
import { OWN_ORGANIZATION } from './connect-form.tsx';
import { FormText } from './form-text.tsx';
import classes from './sync.module.css';

const NOTHING = { url: 'https://', patientSystem: '', clientId: '', tokenUrl: '', secret: '', label: '' };
type Typed = typeof NOTHING;

export function FhirForm({ onAdded }: { onAdded: () => void }): ReactNode {
  const { t } = useTranslation();
  const { run, isRunning, trouble } = useCommand('fhir.add');
  const queries = useQueryClient();
  const [typed, setTyped] = useState<Typed>(NOTHING);
  const into = (field: keyof Typed) => (text: string) => setTyped({ ...typed, [field]: text });
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if ((await run({ ...typed, url: typed.url.trim(), organization: OWN_ORGANIZATION })) === undefined)
      return;
    await queries.invalidateQueries({ queryKey: ['sync.overview'] });
    onAdded();
  };
  const line = (field: keyof Typed, most: number, hint?: string): ReactNode => (
    <FormText
      label={t(`sync.fhirForm.${field}`)}
      {...(hint !== undefined && { hint: t(`sync.fhirForm.${hint}`) })}
      value={typed[field]}
      most={most}
      isRequired={field === 'url'}
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
