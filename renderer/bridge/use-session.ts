// Who is signed in at this page. Signing in or out changes what may be seen, so everything is asked again.

import { useQueryClient } from '@tanstack/react-query';
import type { UserView } from '../../shared/bridge/views.ts';
import { mayDo, type Right } from '../../shared/roles.ts';
import { useBridgeQuery } from './use-bridge.tsx';
import { useCommand } from './use-command.ts';

export interface Session {
  /** There are accounts, and nobody is signed in. */
  readonly isLocked: boolean;
  /** There are accounts at all. */
  readonly hasAccounts: boolean;
  readonly person: UserView | undefined;
  readonly users: readonly UserView[];
  /** Until then a PIN that was typed counts for approving. */
  readonly confirmedUntilMs: number | undefined;
  /** Whether the screen offers it; the workstation decides. */
  may(right: Right): boolean;
  lock(): Promise<void>;
}

export function useSession(): Session {
  const { data, dataUpdatedAt } = useBridgeQuery('session.get', {});
  const signOut = useCommand('session.signOut');
  const queries = useQueryClient();
  const person = data?.person;
  return {
    isLocked: data?.isNeeded === true && person === undefined,
    hasAccounts: data?.isNeeded === true,
    person,
    users: data?.users ?? [],
    // Counted from when it was told: the clock of a tablet may be another one.
    confirmedUntilMs: data?.confirmedForMs === undefined ? undefined : dataUpdatedAt + data.confirmedForMs,
    may: (right) => (person === undefined ? data?.isNeeded !== true : mayDo(person.role, right)),
    async lock() {
      await signOut.run({});
      await queries.invalidateQueries();
    },
  };
}
