// The connections that recordings go to: made known, taken away, found out about. Their tokens are kept apart
// from the database (D134).

import { IsolineError } from '../../../shared/errors.ts';
import { ORGANIZATION_PATH } from '../../../shared/token-scopes.ts';
import { type ClinicContext, change } from '../context.ts';
import { type Connection, type FhirServer, kindOf, type ResultsReceiver } from './records.ts';
import { NEW_UPSTREAM } from './upstream.ts';

const MOST_LABEL = 100;
const MOST_TOKEN = 4096;

const isLoopback = (hostname: string): boolean => /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(hostname);

/** @throws IsolineError `invalid_request` for an address to which a token must not go (D134) */
export function checkAddress(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:'))
    throw new IsolineError('invalid_request', 'The address of the central service must begin with https://.');
  if (parsed.username !== '' || parsed.password !== '')
    throw new IsolineError(
      'invalid_request',
      'The address of the central service must not contain a name or a password. The token identifies this workstation.',
    );
  if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname))
    throw new IsolineError(
      'invalid_request',
      'An unencrypted address can only be this computer. Use https://.',
    );
  return parsed;
}

export interface NewCentre {
  readonly label: string;
  readonly url: string;
  /** Whose recordings go there. */
  readonly localPath: string;
  /** What the organization is called there. */
  readonly organizationPath: string;
  readonly certificates: string | undefined;
  readonly token: string;
}

/** Where something of a hospital is. */
export interface HospitalAddress {
  readonly label: string;
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly certificates: string | undefined;
  readonly localPath: string;
}

/** An archive (PACS). */
export interface NewArchive extends HospitalAddress {
  /** What it is called (AE title). */
  readonly title: string;
}

/** A hospital information system (HL7). */
export interface NewResultsReceiver extends HospitalAddress, ResultsReceiver {}

/** A server that takes results as FHIR. */
export interface NewFhir extends FhirServer, Pick<HospitalAddress, 'label' | 'certificates' | 'localPath'> {
  readonly url: string;
  /** The secret of the client. */
  readonly secret: string;
}

const NO_HOSPITAL = { archive: undefined, results: undefined, fhir: undefined } as const;

/** The form of an AE title (PS3.5, 6.2): up to 16 printed characters, and none that separates values. */
const TITLE = /^(?! )[\x20-\x5b\x5d-\x7e]{1,16}(?<! )$/;
const HOST = /^[A-Za-z0-9._-]{1,253}$|^\[?[0-9A-Fa-f:]{2,45}\]?$/;
const MOST_PORT = 65_535;

/** @throws IsolineError `invalid_request` */
function hospitalUrl(scheme: 'dicom' | 'mllp', { host, port, isTls }: HospitalAddress): string {
  if (!HOST.test(host))
    throw new IsolineError('invalid_request', 'The address must be a name or a number, such as 10.0.4.20.');
  if (!Number.isInteger(port) || port < 1 || port > MOST_PORT)
    throw new IsolineError('invalid_request', 'The port must be a number from 1 to 65535.');
  const bare = host.replace(/^\[|\]$/g, '');
  const url = `${scheme}${isTls ? 's' : ''}://${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
  if (!URL.canParse(url))
    throw new IsolineError('invalid_request', 'The address must be a name or a number, such as 10.0.4.20.');
  return url;
}

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
        'This connection does not exist. "isoline central list" shows all.',
      );
    return connection;
  }

  /** @throws IsolineError `invalid_request`, `organization_not_found` */
  async add({ localPath, token, ...connection }: NewCentre, actor: string): Promise<number> {
    const said = token.trim();
    if (said === '' || said.length > MOST_TOKEN || !/^[\x21-\x7e]+$/.test(said))
      throw new IsolineError(
        'invalid_request',
        'The token must be a single line of letters, digits and symbols, as the central service issued it.',
      );
    if (!ORGANIZATION_PATH.test(connection.organizationPath))
      throw new IsolineError('invalid_request', `"${connection.organizationPath}" is no organization path.`);
    const { host, href } = checkAddress(connection.url);
    const { store, clock, connectionSecrets } = this.#context;
    const id = await change(this.#context, () => {
      const organizationId = this.#organizationAt(localPath);
      const isSame = (each: Connection): boolean =>
        kindOf(each) === 'central' &&
        new URL(each.url).href === href &&
        each.organizationPath === connection.organizationPath;
      const isKnown = store.connections.all().some(isSame);
      // Every recording would be examined twice there.
      if (isKnown)
        throw new IsolineError(
          'centre_exists',
          'This central service has already been added. Remove it first, or change its token.',
        );
      const gone = store.connections
        .removed()
        .find((each) => isSame(each) && each.organizationId === organizationId);
      const label = connection.label.trim().slice(0, MOST_LABEL) || host;
      // What went there before is known of it: nothing goes a second time, and what waited goes on.
      if (gone !== undefined) {
        store.connections.revive(gone.id, {
          label,
          certificates: connection.certificates,
          upstream: NEW_UPSTREAM,
        });
        return {
          result: gone.id,
          notes: [{ actor, action: 'centre.added', subject: `connection:${gone.id}`, detail: { host } }],
        };
      }
      const made = store.connections.add(
        {
          ...connection,
          archive: undefined,
          results: undefined,
          fhir: undefined,
          label,
          organizationId,
          upstream: NEW_UPSTREAM,
        },
        clock.nowMs(),
      );
      return {
        result: made,
        notes: [{ actor, action: 'centre.added', subject: `connection:${made}`, detail: { host } }],
      };
    });
    await connectionSecrets.write(id, said);
    return id;
  }

  /** @throws IsolineError `invalid_request`, `organization_not_found`, `centre_exists` */
  async addArchive({ title, ...at }: NewArchive, actor: string): Promise<number> {
    if (!TITLE.test(title))
      throw new IsolineError(
        'invalid_request',
        'The AE title of the archive must have 1 to 16 letters, digits or symbols.',
      );
    return this.#addHospital(
      at,
      title,
      { ...NO_HOSPITAL, url: hospitalUrl('dicom', at), archive: { title } },
      actor,
    );
  }

  /** @throws IsolineError `invalid_request`, `organization_not_found`, `centre_exists` */
  async addResults({ application, facility, ...at }: NewResultsReceiver, actor: string): Promise<number> {
    const url = hospitalUrl('mllp', at);
    const results = { application: application.trim(), facility: facility.trim() };
    return this.#addHospital(at, results.application || at.host, { ...NO_HOSPITAL, url, results }, actor);
  }

  /** @throws IsolineError `invalid_request`, `organization_not_found`, `centre_exists` */
  async addFhir(
    { url, secret, clientId, tokenUrl, patientSystem, orders = '', ...at }: NewFhir,
    actor: string,
  ): Promise<number> {
    const { href, host } = checkAddress(url);
    const fhir = {
      patientSystem: patientSystem.trim(),
      clientId: clientId.trim(),
      tokenUrl: tokenUrl.trim(),
      ...(orders.trim() !== '' && { orders: orders.trim().replace(/^\?/, '') }),
    };
    if (!/^[!"$-~]*$/.test(fhir.orders ?? ''))
      throw new IsolineError(
        'invalid_request',
        'Enter the search for orders as parameters without spaces, such as status=active&code=11524-6.',
      );
    if (fhir.patientSystem !== '' && !/^[a-z][a-z0-9+.-]*:\S+$/i.test(fhir.patientSystem))
      throw new IsolineError(
        'invalid_request',
        'The system of the patient numbers must be a URI, such as urn:oid:1.2.3.',
      );
    const isClient = fhir.clientId !== '';
    if (isClient !== (fhir.tokenUrl !== '') || isClient !== (secret.trim() !== ''))
      throw new IsolineError(
        'invalid_request',
        'A client needs three things: its ID, its secret, and the token address.',
      );
    if (isClient) checkAddress(fhir.tokenUrl);
    const id = await this.#addHospital(
      { ...at, host },
      host,
      { ...NO_HOSPITAL, url: href.replace(/\/+$/, ''), fhir },
      actor,
    );
    if (isClient) await this.#context.connectionSecrets.write(id, secret.trim());
    return id;
  }

  #addHospital(
    { label, certificates, localPath, host }: Omit<HospitalAddress, 'port' | 'isTls'>,
    usualLabel: string,
    how: Pick<Connection, 'url' | 'archive' | 'results' | 'fhir'>,
    actor: string,
  ): Promise<number> {
    const { store, clock } = this.#context;
    return change(this.#context, () => {
      const organizationId = this.#organizationAt(localPath);
      const isSame = ({ url, archive, results, fhir }: Connection): boolean =>
        url === how.url &&
        archive?.title === how.archive?.title &&
        // Which orders are asked for there makes no other server of it.
        JSON.stringify([results, { ...fhir, orders: '' }]) ===
          JSON.stringify([how.results, { ...how.fhir, orders: '' }]);
      const hasOrders = ({ url, fhir }: Connection): boolean =>
        url === how.url && fhir?.orders !== undefined && how.fhir?.orders !== undefined;
      // Two searches at one server would make two lists of one.
      if (store.connections.all().some((each) => isSame(each) || hasOrders(each)))
        throw new IsolineError('centre_exists', 'This connection has already been added. Remove it first.');
      const named = {
        label: label.trim().slice(0, MOST_LABEL) || usualLabel,
        certificates,
        upstream: NEW_UPSTREAM,
      };
      const gone = store.connections
        .removed()
        .find((each) => isSame(each) && each.organizationId === organizationId);
      // What went there before is known of it.
      if (gone !== undefined) store.connections.revive(gone.id, { ...named, fhir: how.fhir });
      const id =
        gone?.id ??
        store.connections.add({ ...named, ...how, organizationId, organizationPath: '' }, clock.nowMs());
      return {
        result: id,
        notes: [{ actor, action: 'centre.added', subject: `connection:${id}`, detail: { host } }],
      };
    });
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

  /** What a test of an archive has shown. */
  async setConfirming(id: number, isConfirming: boolean, actor: string): Promise<void> {
    await change(this.#context, () => {
      const { archive } = this.find(id);
      if (archive !== undefined) this.#context.store.connections.setArchive(id, { ...archive, isConfirming });
      return {
        result: undefined,
        notes: [{ actor, action: 'centre.tested', subject: `connection:${id}`, detail: { isConfirming } }],
      };
    });
  }

  /** Sets whether a hospital also gets unread ECGs; the caller looks again at what waits. */
  async setTakesUnread(id: number, takesUnread: boolean, actor: string): Promise<void> {
    await change(this.#context, () => {
      this.find(id);
      this.#context.store.connections.setTakesUnread(id, takesUnread);
      return {
        result: undefined,
        notes: [{ actor, action: 'centre.unread_set', subject: `connection:${id}`, detail: { takesUnread } }],
      };
    });
  }

  /** Another token for the same centre; what its refusal had stopped goes on. */
  async setToken(id: number, token: string, actor: string): Promise<void> {
    const { upstream } = this.find(id);
    await this.#context.connectionSecrets.write(id, token.trim());
    await change(this.#context, () => {
      if (upstream.stop === 'token')
        this.#context.store.connections.setUpstream(id, { ...upstream, stop: undefined }, undefined);
      return {
        result: undefined,
        notes: [{ actor, action: 'centre.token_set', subject: `connection:${id}`, detail: {} }],
      };
    });
  }

  /** Nothing goes there any more; what is there stays there, and what came back stays here. */
  async remove(id: number, actor: string): Promise<void> {
    this.find(id);
    await change(this.#context, () => {
      this.#context.store.connections.remove(id);
      return {
        result: undefined,
        notes: [{ actor, action: 'centre.removed', subject: `connection:${id}`, detail: {} }],
      };
    });
    await this.#context.connectionSecrets.remove(id);
  }

  /** What a test has shown. */
  async setProven(
    id: number,
    proven: Pick<Connection, 'isIdempotent' | 'isStreamProven'>,
    actor: string,
  ): Promise<void> {
    await change(this.#context, () => {
      this.#context.store.connections.setProven(id, proven);
      return {
        result: undefined,
        notes: [{ actor, action: 'centre.tested', subject: `connection:${id}`, detail: { ...proven } }],
      };
    });
  }
}
