// The clinic's name, and the first person with an account: an administrator.

import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { useSetting, useSettingChange } from '../../bridge/use-settings.ts';
import { SecretInput } from '../../parts/secret-input.tsx';
import classes from './first-start.module.css';
import type { StepProps } from './step-props.ts';

export function ClinicStep({ formId, onSubmit }: StepProps): ReactNode {
  const { t } = useTranslation();
  const { users, hasAccounts } = useSession();
  const known = useSetting('report.clinic');
  const [clinic, setClinic] = useState<string | undefined>();
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const [isNameMissing, setNameMissing] = useState(false);
  const setting = useSettingChange();
  const add = useCommand('user.add');
  const signIn = useCommand('session.signIn');
  const queries = useQueryClient();
  const save = async (): Promise<boolean> => {
    if (clinic !== undefined && clinic !== known && !(await setting.change('report.clinic', clinic)))
      return false;
    if (hasAccounts) return true;
    if (name.trim() === '') {
      setNameMissing(true);
      return false;
    }
    const added = await add.run({ name, role: 'administrator', secret });
    if (added === undefined) return false;
    // From now on everybody signs in; whoever has just said the password need not say it again.
    const person = await signIn.run({ userId: added.userId, secret });
    await queries.invalidateQueries();
    return person !== undefined;
  };
  return (
    <form id={formId} onSubmit={(event) => onSubmit(event, save)}>
      <div className={classes.card}>
        <TextInput
          size="md"
          label={t('settings.name.report_clinic')}
          description={t('start.clinic.where')}
          value={clinic ?? known}
          maxLength={200}
          error={setting.trouble}
          onChange={({ currentTarget }) => setClinic(currentTarget.value)}
        />
      </div>
      <div className={classes.card}>
        {hasAccounts ? (
          <p>{t('start.clinic.there', { name: users[0]?.name ?? '' })}</p>
        ) : (
          <>
            <h2>{t('users.first')}</h2>
            <p className="quiet">{t('users.firstText')}</p>
            <TextInput
              size="md"
              label={t('users.name')}
              value={name}
              maxLength={64}
              error={isNameMissing && name.trim() === '' ? t('start.clinic.noName') : undefined}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <SecretInput
              label={t('users.password')}
              value={secret}
              isNew
              error={add.trouble ?? signIn.trouble}
              onType={setSecret}
            />
          </>
        )}
      </div>
    </form>
  );
}
