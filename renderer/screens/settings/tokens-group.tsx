// Tokens with which scripts, practice systems and network devices reach the service. The text of one is shown
// once.

import { Button, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TokenView } from '../../../shared/bridge/views.ts';
import { SCOPES } from '../../../shared/token-scopes.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { CrowdedDoor } from '../../parts/crowded-door.tsx';
import { dayOf } from '../../parts/format-time.ts';
import classes from './settings.module.css';

const LIFE_DAYS = ['30', '365', '3650'] as const;

function MakeToken({ organizations }: { organizations: readonly string[] }): ReactNode {
  const { t } = useTranslation();
  const create = useCommand('token.create');
  const queries = useQueryClient();
  const [label, setLabel] = useState('');
  const [organization, setOrganization] = useState(organizations[0] ?? '');
  const [life, setLife] = useState<string>('365');
  const [made, setMade] = useState<string | undefined>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const token = await create.run({ organization, label, scopes: [...SCOPES], lifeDays: Number(life) });
    if (token === undefined) return;
    setMade(token.text);
    setLabel('');
    await queries.invalidateQueries({ queryKey: ['token.list'] });
  };
  if (made !== undefined)
    return (
      <div className={classes.form} role="status">
        <h3>{t('tokens.once')}</h3>
        <code className={classes.token}>{made}</code>
        <div className={classes.row}>
          <Button h={48} variant="default" onClick={() => void navigator.clipboard.writeText(made)}>
            {t('tokens.copy')}
          </Button>
          <Button h={48} onClick={() => setMade(undefined)}>
            {t('tokens.stored')}
          </Button>
        </div>
      </div>
    );
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      <h3>{t('tokens.make')}</h3>
      <TextInput
        size="md"
        required
        label={t('tokens.label')}
        value={label}
        maxLength={256}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <Select
        size="md"
        label={t('tokens.organization')}
        value={organization}
        allowDeselect={false}
        data={[...organizations]}
        onChange={(value) => setOrganization(value ?? '')}
      />
      <Select
        size="md"
        label={t('tokens.life')}
        value={life}
        allowDeselect={false}
        data={LIFE_DAYS.map((value) => ({ value, label: t('tokens.days', { count: Number(value) }) }))}
        onChange={(value) => setLife(value ?? '365')}
      />
      {create.trouble !== undefined && (
        <p role="alert" className={classes.trouble}>
          {create.trouble}
        </p>
      )}
      <Button type="submit" h={48} loading={create.isRunning}>
        {t('tokens.create')}
      </Button>
    </form>
  );
}

function TokenRow({ token, onRevoke }: { token: TokenView; onRevoke: () => void }): ReactNode {
  const { t } = useTranslation();
  const facts = [
    token.organization,
    `${token.prefix}…`,
    token.lastUsedMs === undefined
      ? t('tokens.neverUsed')
      : t('tokens.lastUsed', { day: dayOf(token.lastUsedMs) }),
    ...(token.expiresMs === undefined ? [] : [t('tokens.expires', { day: dayOf(token.expiresMs) })]),
  ];
  return (
    <li>
      <b>{token.label}</b>
      <span className="quiet">{facts.join(' · ')}</span>
      {token.isRevoked ? (
        <span className="quiet">{t('tokens.revoked')}</span>
      ) : (
        <Button h={44} variant="default" onClick={onRevoke}>
          {t('tokens.revoke')}
        </Button>
      )}
    </li>
  );
}

export function TokensGroup(): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const url = useBridgeQuery('workstation.about', {}).data?.serviceUrl ?? '';
  const { data } = useBridgeQuery('token.list', {}, { isEnabled: may('tokens') });
  const revoke = useCommand('token.revoke');
  const queries = useQueryClient();
  const take = async (tokenId: number): Promise<void> => {
    await revoke.run({ tokenId });
    await queries.invalidateQueries({ queryKey: ['token.list'] });
  };
  return (
    <>
      {url !== '' && <p>{t('tokens.url', { url })}</p>}
      <CrowdedDoor name="service" />
      {data !== undefined && (
        <>
          <ul className={classes.list}>
            {data.tokens.map((token) => (
              <TokenRow key={token.tokenId} token={token} onRevoke={() => void take(token.tokenId)} />
            ))}
          </ul>
          <MakeToken organizations={data.organizations} />
        </>
      )}
    </>
  );
}
