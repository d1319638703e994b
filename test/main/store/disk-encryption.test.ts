// What operating systems say of the encryption of a disk (SEC60).

import { expect, test } from 'vitest';
import {
  diskEncryption,
  ofBitLocker,
  ofBlockDevices,
  ofFileVault,
} from '../../../main/store/folder/disk-encryption.ts';

test.each([
  ['lvm\ncrypt\npart\ndisk\n', 'on'],
  ['crypt\npart\ndisk', 'on'],
  ['part\ndisk\n', 'off'],
  ['disk', 'off'],
  ['lvm\npart\ndisk', 'off'],
  ['loop', 'unknown'],
  ['', 'unknown'],
])('Linux, block devices %j: %s', (types, expected) => expect(ofBlockDevices(types)).toBe(expected));

test.each([
  ['FileVault is On.\n', 'on'],
  ['FileVault is Off.\n', 'off'],
  ['FileVault is On.\nEncryption in progress: Percent completed = 12\n', 'unknown'],
  ['FileVault is Off.\nDecryption in progress: Percent completed = 3\n', 'off'],
  ['Error: not permitted', 'unknown'],
])('macOS, %j: %s', (status, expected) => expect(ofFileVault(status)).toBe(expected));

test.each([
  ['1\r\n', 'on'],
  ['6', 'on'],
  ['2', 'off'],
  ['3', 'off'],
  ['5', 'off'],
  ['', 'unknown'],
  ['0', 'unknown'],
  ['no drive', 'unknown'],
])('Windows, BitLocker protection %j: %s', (protection, expected) =>
  expect(ofBitLocker(protection)).toBe(expected),
);

test('this computer answers, and a folder that is not there is unknown', async () => {
  expect(['on', 'off', 'unknown']).toContain(await diskEncryption(process.cwd()));
  expect(await diskEncryption('\0')).toBe('unknown');
});
