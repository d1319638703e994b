// What makes two connections the same, what is refused before it is kept, and what is shown of it.

import { describe, expect, test } from 'vitest';
import {
  CONNECTION_KINDS,
  type ConnectionTo,
  checkConnection,
  checkSecret,
  fieldsOf,
  isInTheWayOf,
  isSameConnection,
  shownOf,
} from '../../../shared/connections/connections.ts';
import { WRONG_FIELDS } from '../../../shared/connections/wrong-field.ts';
import type { IsolineError } from '../../../shared/errors.ts';
import { archiveAt, centralAt, fhirAt, hospitalAt } from '../../support/made-connections.ts';

const refused = (to: ConnectionTo, secret = 's'): unknown => {
  try {
    checkConnection(to, secret);
    return undefined;
  } catch (error) {
    // The screen has a sentence for each.
    expect(WRONG_FIELDS).toContain((error as IsolineError).detail.field);
    return (error as IsolineError).reason;
  }
};
/** One more than the host, which is at another place. */
const withHost = (to: ConnectionTo, host: string): ConnectionTo =>
  ({ ...to, config: { ...to.config, host } }) as ConnectionTo;
const withPort = (to: ConnectionTo, port: number): ConnectionTo =>
  ({ ...to, config: { ...to.config, port } }) as ConnectionTo;

describe('the same', () => {
  const url = 'https://a.example';
  test.each<[string, ConnectionTo, ConnectionTo, boolean]>([
    ['a central service, its address written otherwise', centralAt(url), centralAt(`${url}/`), true],
    ['another organization there', centralAt(url), centralAt(url, 'other'), false],
    ['another address', centralAt(url), centralAt('https://b.example'), false],
    ['an archive', archiveAt(104, 'A'), archiveAt(104, 'A'), true],
    ['an archive under another title', archiveAt(104, 'A'), archiveAt(104, 'B'), false],
    ['an archive at another port', archiveAt(104, 'A'), archiveAt(105, 'A'), false],
    ['a hospital system', hospitalAt(2575), hospitalAt(2575), true],
    ['an archive and a hospital system', archiveAt(2575, 'A'), hospitalAt(2575), false],
    ['a FHIR server that is asked for other orders', fhirAt(url, { orders: 'a=1' }), fhirAt(url), true],
    ['a FHIR server with other numbers', fhirAt(url, { patientSystem: 'urn:a' }), fhirAt(url), false],
  ])('%s: %#', (_, one, other, isSame) => {
    expect(isSameConnection(one, other)).toBe(isSame);
    expect(isSameConnection(other, one)).toBe(isSame);
  });

  test('two searches for orders at one server stand in each other’s way, however else they differ', () => {
    const [one, other] = [
      fhirAt(url, { orders: 'a=1', patientSystem: 'urn:a' }),
      fhirAt(url, { orders: 'b=1' }),
    ];
    expect(isSameConnection(one, other)).toBe(false);
    expect(isInTheWayOf(one, other)).toBe(true);
    expect(isInTheWayOf(fhirAt(url, { patientSystem: 'urn:a' }), other)).toBe(false);
  });
});

describe('what is kept', () => {
  test('is trimmed, and has an address without what says nothing', () => {
    expect(checkConnection(withHost(archiveAt(104, ' A '), ' [::1] '), '').to.config).toMatchObject({
      host: '::1',
      title: 'A',
    });
    expect(
      checkConnection(fhirAt(' https://a.example/r4/ ', { orders: '?a=1' }), '').to.config,
    ).toMatchObject({ url: 'https://a.example/r4', orders: 'a=1' });
  });

  test.each<[string, ConnectionTo]>([
    ['an address without encryption elsewhere', centralAt('http://10.0.0.1')],
    ['an address with a password', centralAt('https://a:b@a.example')],
    ['no organization', centralAt('https://a.example', '')],
    ['a title of seventeen characters', archiveAt(104, 'A'.repeat(17))],
    ['port 0', withPort(archiveAt(104, 'A'), 0)],
    ['port 65536', withPort(hospitalAt(1), 65_536)],
    ['a host with a space', withHost(hospitalAt(1), 'a b')],
    ['a client without an address for its tokens', fhirAt('https://a.example', { clientId: 'a' })],
    [
      'an address for tokens without a client',
      fhirAt('https://a.example', { tokenUrl: 'https://a.example' }),
    ],
    ['orders with a space', fhirAt('https://a.example', { orders: 'a=1 b' })],
    ['numbers of no URI', fhirAt('https://a.example', { patientSystem: 'hospital' })],
  ])('is not %s', (_, to) => {
    expect(refused(to)).toBe('invalid_request');
  });

  test('goes with its secret where it needs one, and without one where it does not', () => {
    expect(refused(centralAt('https://a.example'), ' ')).toBe('invalid_request');
    expect(checkConnection(centralAt('https://a.example'), ' t\n').secret).toBe('t');
    expect(checkConnection(hospitalAt(1), 'left over').secret).toBe('');
    for (const wrong of ['', 'two words', 'ä', 'x'.repeat(4097)]) expect(() => checkSecret(wrong)).toThrow();
    expect(checkSecret('x'.repeat(4096))).toHaveLength(4096);
  });
});

test('every field says how it is asked for, and none is shown that could hold a secret', () => {
  for (const kind of CONNECTION_KINDS)
    for (const [name, { form }] of fieldsOf(kind)) {
      expect([kind, name, form.option]).toEqual([kind, name, expect.stringMatching(/^[a-z-]+$/)]);
      if (form.isShown === true) expect(name).not.toMatch(/token|secret|client/i);
    }
  expect(shownOf(fhirAt('https://a.example', { clientId: 'c', orders: 'a=1' }))).toEqual({ orders: 'a=1' });
});
