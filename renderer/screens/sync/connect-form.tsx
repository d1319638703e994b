// Makes a central service known: its address, what the clinic is called there, the token that it gave.

import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../bridge/use-command.ts';
import { FormText } from './form-text.tsx';
import classes from './sync.module.css';

export const OWN_ORGANIZATION = 'clinic';

export function ConnectForm(): ReactNode {
  const { t } = useTranslation();
  const add = useCommand('centre.add');
  const queries = useQueryClient();
  const [label, setLabel] = useState('');
  const [url, setUrl] = useState('https://');
  const [organizationThere, setOrganizationThere] = useState('');
  const [token, setToken] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const added = await add.run({
      label,
      url: url.trim(),
      organization: OWN_ORGANIZATION,
      organizationThere: organizationThere.trim(),
      token,
    });
    if (added !== undefined) await queries.invalidateQueries({ queryKey: ['sync.overview'] });
  };
  return (
    <form className={classes.connect} onSubmit={(event) => void submit(event)}>
      <FormText isRequired label={t('sync.form.url')} value={url} most={1024} onType={setUrl} />
      <FormText
        isRequired
        label={t('sync.form.organization')}
        hint={t('sync.form.organizationHint')}
        value={organizationThere}
        most={64}
        onType={setOrganizationThere}
      />
      <PasswordInput
        size="md"
        required
        autoComplete="off"
        label={t('sync.form.token')}
        value={token}
        maxLength={4096}
        onChange={(event) => setToken(event.currentTarget.value)}
      />
      <FormText
        label={t('sync.form.label')}
        hint={t('sync.form.labelHint')}
        value={label}
        most={100}
        onType={setLabel}
      />
      {add.trouble !== undefined && <p role="alert">{add.trouble}</p>}
      <Button type="submit" h={56} size="lg" loading={add.isRunning}>
        {t('sync.form.connect')}
      </Button>
    </form>
  );
}
