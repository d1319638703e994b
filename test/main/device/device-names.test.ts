import { expect, test } from 'vitest';
import { DeviceNames } from '../../../main/device/device-names.ts';

const namesOf = (names: DeviceNames, ...devices: [id: string, name: string][]): string[] =>
  names.numbered(devices.map(([id, name]) => ({ id, name }))).map(({ name }) => name);

test('devices of one kind are numbered, and keep their numbers when another goes', () => {
  const names = new DeviceNames();
  expect(namesOf(names, ['a', 'Cyton'], ['b', 'Cyton'], ['c', 'MobilECG'])).toEqual([
    'Cyton',
    'Cyton 2',
    'MobilECG',
  ]);
  expect(namesOf(names, ['b', 'Cyton'])).toEqual(['Cyton 2']);
  names.forget('a');
  expect(namesOf(names, ['d', 'Cyton'], ['b', 'Cyton'])).toEqual(['Cyton', 'Cyton 2']);
});

test('what the clinic calls a device goes before what it calls itself, and two of one name are numbered too', () => {
  const names = new DeviceNames();
  names.setOwn('b', 'Trolley');
  names.setOwn('c', 'Trolley');
  expect(namesOf(names, ['a', 'Cyton'], ['b', 'Cyton'], ['c', 'Cyton'])).toEqual([
    'Cyton',
    'Trolley',
    'Trolley 2',
  ]);
  names.setOwn('b', undefined);
  expect(namesOf(names, ['a', 'Cyton'], ['b', 'Cyton'])).toEqual(['Cyton', 'Cyton 2']);
});

test('no number makes a name that the clinic has given another device', () => {
  const names = new DeviceNames();
  expect(namesOf(names, ['a', 'Cyton'], ['b', 'Cyton'])).toEqual(['Cyton', 'Cyton 2']);
  names.setOwn('c', 'Cyton 2');
  expect(namesOf(names, ['a', 'Cyton'], ['b', 'Cyton'], ['c', 'MobilECG'])).toEqual([
    'Cyton',
    'Cyton 3',
    'Cyton 2',
  ]);
});
