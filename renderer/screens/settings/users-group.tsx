// People with accounts: made, taken away, their own PIN changed.

import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserView } from '../../../shared/bridge/views.ts';
import { ROLES, type Role } from '../../../shared/roles.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { SecretInput } from '../../parts/secret-input.tsx';
import classes from './settings.module.css';

function AddUser({ isFirst }: { isFirst: boolean }): ReactNode {
  const { t } = useTranslation();
  const add = useCommand('user.add');
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>(isFirst ? 'administrator' : 'technician');
  const [secret, setSecret] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if ((await add.run({ name, role, secret })) === undefined) return;
    setName('');
    setSecret('');
    await queries.invalidateQueries();
  };
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      <h3>{t(isFirst ? 'users.first' : 'users.add')}</h3>
      {isFirst && <p className="quiet">{t('users.firstText')}</p>}
      <TextInput
        size="md"
        label={t('users.name')}
        value={name}
        maxLength={64}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {!isFirst && (
        <Select
          size="md"
          label={t('users.role')}
          value={role}
          allowDeselect={false}
          data={ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
          onChange={(value) => setRole((value ?? 'technician') as Role)}
        />
      )}
      <SecretInput
        label={t(role === 'administrator' ? 'users.password' : 'users.pin')}
        value={secret}
        isNew
        error={add.trouble}
        onType={setSecret}
      />
      <Button type="submit" h={48} loading={add.isRunning}>
        {t('users.make')}
      </Button>
    </form>
  );
}

function ChangeSecret(): ReactNode {
  const { t } = useTranslation();
  const change = useCommand('user.changeSecret');
  const [before, setBefore] = useState('');
  const [after, setAfter] = useState('');
  const [isDone, setDone] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setDone((await change.run({ before, after })) !== undefined);
    setBefore('');
    setAfter('');
  };
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      <h3>{t('users.changeSecret')}</h3>
      <SecretInput label={t('users.before')} value={before} onType={setBefore} />
      <SecretInput label={t('users.after')} value={after} isNew error={change.trouble} onType={setAfter} />
      {isDone && <p role="status">{t('users.changed')}</p>}
      <Button type="submit" h={48} variant="default" loading={change.isRunning}>
        {t('users.change')}
      </Button>
    </form>
  );
}

/** For somebody who has forgotten it: whoever it is for replaces it at the next sign-in. */
function ResetSecret({ user, onClose }: { user: UserView; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const reset = useCommand('user.resetSecret');
  const isWeak = reset.reason === 'weak_secret';
  const [temporary, setTemporary] = useState('');
  const [own, setOwn] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const done = await reset.run({ userId: user.userId, temporary, own });
    setOwn('');
    if (done !== undefined) onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('users.resetTitle', { name: user.name })} centered>
      <form className={classes.fields} onSubmit={(event) => void submit(event)}>
        <p className="quiet">{t('users.resetText')}</p>
        <SecretInput
          hasFocusFirst
          label={t(user.role === 'administrator' ? 'users.resetPassword' : 'users.resetPin')}
          value={temporary}
          isNew
          error={isWeak ? reset.trouble : undefined}
          onType={setTemporary}
        />
        <SecretInput
          label={t('users.ownPassword')}
          value={own}
          error={isWeak ? undefined : reset.trouble}
          onType={setOwn}
        />
        <Button type="submit" h={48} disabled={temporary === '' || own === ''} loading={reset.isRunning}>
          {t('users.reset')}
        </Button>
      </form>
    </Modal>
  );
}

export function UsersGroup(): ReactNode {
  const { t } = useTranslation();
  const { users, person, may, hasAccounts } = useSession();
  const deactivate = useCommand('user.deactivate');
  const [forgetful, setForgetful] = useState<UserView | undefined>();
  const queries = useQueryClient();
  const remove = async (userId: number): Promise<void> => {
    await deactivate.run({ userId });
    await queries.invalidateQueries();
  };
  return (
    <>
      {!hasAccounts && <p className={classes.note}>{t('users.none')}</p>}
      <ul className={classes.list}>
        {users.map((user) => (
          <li key={user.userId}>
            <b>{user.name}</b>
            <span className="quiet">{t(`role.${user.role}`)}</span>
            {may('users') && user.userId !== person?.userId && (
              <>
                <Button h={44} variant="default" onClick={() => setForgetful(user)}>
                  {t('users.forgot')}
                </Button>
                <Button h={44} variant="default" onClick={() => void remove(user.userId)}>
                  {t('users.remove')}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      {forgetful !== undefined && <ResetSecret user={forgetful} onClose={() => setForgetful(undefined)} />}
      {deactivate.trouble !== undefined && (
        <p role="alert" className={classes.trouble}>
          {deactivate.trouble}
        </p>
      )}
      {may('users') && <AddUser key={String(hasAccounts)} isFirst={!hasAccounts} />}
      {person !== undefined && <ChangeSecret />}
    </>
  );
}
