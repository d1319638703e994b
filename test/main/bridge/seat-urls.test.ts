// Which addresses a tablet is shown: those at which it finds the workstation, and whose certificate its browser takes.

import { expect, test } from 'vitest';
import { urlsOf } from '../../../main/bridge/handlers/seats.ts';

const OURS = ['ecg-1', '192.0.2.7', 'fe80::1', '2001:db8::7'];

test.each([
  ['our own certificate is for all names', '0.0.0.0', OURS, ['192.0.2.7', 'ecg-1', '[2001:db8::7]']],
  ['one address alone is listened at', '192.0.2.7', OURS, ['192.0.2.7']],
  ["the clinic's certificate is for some", '0.0.0.0', ['ecg.clinic.example'], ['ecg.clinic.example']],
  [
    "the clinic's certificate is not for the address",
    '192.0.2.7',
    ['ecg.clinic.example'],
    ['ecg.clinic.example'],
  ],
  ['it is for none of ours that we know', '0.0.0.0', [], ['192.0.2.7', 'ecg-1', '[2001:db8::7]']],
  ['it is for none, and one address is listened at', '192.0.2.7', [], ['192.0.2.7']],
])('%s', (_why, host, certifiedNames, shown) => {
  const names = [...new Set([...OURS, ...certifiedNames])];
  expect(urlsOf(host, { names, certifiedNames }, 8139)).toEqual(shown.map((name) => `https://${name}:8139`));
});
