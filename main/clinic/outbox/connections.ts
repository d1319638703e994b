// The connections of this workstation: made known, changed, found out about, taken away. Their secrets are kept apart from the
// database (D134).

import type { Proven } from '../../../shared/connections/connection-facts.ts';
import {
  type ConnectionTo,
  checkConnection,
  checkSecret,
  factsOf,
  isInTheWayOf,
  isSameConnection,
} from '../../../shared/connections/connections.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { type ClinicContext, change, type Note } from '../context.ts';
import type { Connection } from './records.ts';
import { NEW_UPSTREAM } from './upstream.ts';

const MOST_LABEL = 100;

export interface NewConnection {
  readonly to: ConnectionTo;
  /** Empty: it is called by what it is. */
  readonly label: string;
  /** Whose recordings or results go there. */
  readonly localPath: string;
  /** The token, or the secret of the client; empty where the connection needs none. */
  readonly secret: string;
}

const noteOf = (
  action: Extract<Note['action'], `centre.${string}`>,
  id: number,
  actor: string,
  detail: Note['detail'] = {},
): Note => ({ actor, action, subject: `centre:${id}`, detail });

export class Connections {
  readonly #context: ClinicContext;

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  /** @throws IsolineError `centre_not_found` */
  find(id: number): Connection {
    const connection = this.#context.store.connections.all().find((each) => each.id === id);
    if (connection === undefined)
      throw new IsolineError(
        'centre_not_found',
        'This connection does not exist. "isoline connection list" shows all.',
      );
    return connection;
  }

  /** @throws IsolineError `invalid_request`, `organization_not_found`, `centre_exists` */
  async add({ label, localPath, ...asked }: NewConnection, actor: string): Promise<number> {
    const { to, secret } = checkConnection(asked.to, asked.secret);
    const { store, clock, connectionSecrets } = this.#context;
    const facts = factsOf(to);
    const id = await change(this.#context, () => {
      const organizationId = this.#organizationAt(localPath);
      // Every recording would be examined twice there.
      if (store.connections.all().some((each) => isInTheWayOf(each.to, to)))
        throw new IsolineError('centre_exists', 'This connection has already been added. Remove it first.');
      const gone = store.connections
        .removed()
        .find((each) => isSameConnection(each.to, to) && each.organizationId === organizationId);
      const named = {
        label: label.trim().slice(0, MOST_LABEL) || facts.nameOf(to.config),
        to,
        upstream: NEW_UPSTREAM,
      };
      // What went there before is known of it: nothing goes a second time, and what waited goes on.
      if (gone !== undefined) store.connections.revive(gone.id, named);
      const made = gone?.id ?? store.connections.add({ ...named, organizationId }, clock.nowMs());
      return {
        result: made,
        notes: [noteOf('centre.added', made, actor, { host: facts.hostOf(to.config) })],
      };
    });
    if (secret !== '') await connectionSecrets.write(id, secret);
    return id;
  }

  /** @throws IsolineError `organization_not_found` */
  #organizationAt(localPath: string): number {
    const organization = this.#context.store.organizations.byPath(localPath);
    if (organization !== undefined) return organization.id;
    throw new IsolineError(
      'organization_not_found',
      `There is no organization "${localPath}" in this data folder.`,
    );
  }

  /** What a test of it has shown; what it says nothing about stays as it was. */
  async noteProven(id: number, shown: Proven, actor: string): Promise<void> {
    await change(this.#context, () => {
      const proven = { ...this.find(id).proven, ...shown };
      this.#context.store.connections.setProven(id, proven);
      return { result: undefined, notes: [noteOf('centre.tested', id, actor, { ...proven })] };
    });
  }

  /** Sets whether a hospital also gets unread ECGs; the caller looks again at what waits. */
  async setTakesUnread(id: number, takesUnread: boolean, actor: string): Promise<void> {
    await change(this.#context, () => {
      this.find(id);
      this.#context.store.connections.setTakesUnread(id, takesUnread);
      return { result: undefined, notes: [noteOf('centre.unread_set', id, actor, { takesUnread })] };
    });
  }

  /**
   * Another secret for the same connection; what its refusal had stopped goes on.
   * @throws IsolineError `invalid_request`
   */
  async setSecret(id: number, secret: string, actor: string): Promise<void> {
    const { upstream, to } = this.find(id);
    if (!factsOf(to).needsSecret(to.config))
      throw new IsolineError('invalid_request', 'This connection needs no token or secret.');
    await this.#context.connectionSecrets.write(id, checkSecret(secret));
    await change(this.#context, () => {
      if (upstream.stop === 'token')
        this.#context.store.connections.setUpstream(id, { ...upstream, stop: undefined }, undefined);
      return { result: undefined, notes: [noteOf('centre.token_set', id, actor)] };
    });
  }

  /** Stops sending. What was sent stays there, and what came back stays here. */
  async remove(id: number, actor: string): Promise<void> {
    this.find(id);
    await change(this.#context, () => {
      this.#context.store.connections.remove(id);
      return { result: undefined, notes: [noteOf('centre.removed', id, actor)] };
    });
    await this.#context.connectionSecrets.remove(id);
  }
}
