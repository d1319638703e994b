// Settings, tokens, and what the workstation is.

import type { SETTING_COMMANDS, SETTING_QUERIES } from '../../../shared/bridge/contract/settings.ts';
import { requireSettingAtSeat } from '../../../shared/bridge/seat-rules.ts';
import type { ServiceTrouble, StorageTrouble, TokenView } from '../../../shared/bridge/views.ts';
import { given } from '../../../shared/given.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Token } from '../../clinic/people/records.ts';
import { createToken, revokeToken } from '../../clinic/people/tokens.ts';
import { reportLogo, setReportLogo } from '../../clinic/report-logo.ts';
import { changeSetting } from '../../clinic/settings.ts';
import type { Answers } from './caller.ts';

export interface WorkstationFacts {
  readonly version: string;
  readonly isDemo: boolean;
  readonly serviceUrl: string;
  readonly serviceTrouble?: ServiceTrouble;
  readonly storageTrouble?: StorageTrouble;
  /** SHA-256 of the service's certificate, where it has one. */
  readonly fingerprint?: string;
}

const toTokenView = (token: Token): TokenView => ({
  tokenId: token.id,
  organization: token.organizationPath,
  label: token.label,
  prefix: token.prefix,
  scopes: [...token.scopes],
  createdMs: token.createdMs,
  ...(token.expiresMs !== undefined && { expiresMs: token.expiresMs }),
  ...(token.lastUsedMs !== undefined && { lastUsedMs: token.lastUsedMs }),
  isRevoked: token.revokedMs !== undefined,
});

export function settingAnswers(
  { context, enrolment, seats, supportText }: Clinic,
  facts: WorkstationFacts,
): Answers<keyof typeof SETTING_QUERIES | keyof typeof SETTING_COMMANDS> {
  return {
    'workstation.about': async (_input, { session }) => ({
      ...facts,
      ...given({ seat: seats.seatOf(session)?.name }),
    }),
    'workstation.support': async () => ({ text: await supportText() }),
    'setting.list': async () => ({
      values: Object.fromEntries(
        Object.entries(context.settings()).map(([key, value]) => [key, String(value)]),
      ),
    }),
    'setting.logo': async () => given({ png: await reportLogo(context) }),
    'setting.changeLogo': async ({ png }, { actor }) => {
      await setReportLogo(context, png, actor);
      return {};
    },
    'setting.change': async ({ key, text }, { actor, session }) => {
      if (seats.seatOf(session) !== undefined) requireSettingAtSeat(key);
      await changeSetting(context, key, text, actor);
      if (key.startsWith('sync.')) await enrolment.reconsider();
      return {};
    },
    'token.list': async () => {
      const { store } = context;
      return {
        tokens: store.tokens.list().map(toTokenView),
        organizations: store.organizations.all().map(({ path }) => path),
      };
    },
    'token.create': async ({ organization, label, scopes, lifeDays }, { actor }) => {
      const { text } = await createToken(context, {
        organizationPath: organization,
        label,
        scopes,
        lifeDays,
        creator: actor,
      });
      return { text };
    },
    'token.revoke': async ({ tokenId }, { actor }) => {
      await revokeToken(context, tokenId, actor);
      return {};
    },
  };
}
