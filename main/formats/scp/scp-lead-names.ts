// SCP-ECG's numbers for leads (formats reference, section 3.4). DICOM's "SCPECG" coding scheme uses the same.

import { isAsNamed, type LeadMatch, leadName } from '../../../shared/signal/lead.ts';

const range = (prefix: string, from: number, to: number, suffix = ''): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `${prefix}${from + i}${suffix}`);

/** Numbers in rows, in the order of the standard. */
const ROWS: readonly (readonly [first: number, names: readonly string[]])[] = [
  [
    1,
    [
      'I',
      'II',
      ...range('V', 1, 6),
      'V7',
      ...range('V', 2, 7, 'R'),
      'X',
      'Y',
      'Z',
      'CC5',
      'CM5',
      'LA',
      'RA',
      'LL',
    ],
  ],
  [24, ['Frank I', 'Frank E', 'Frank C', 'Frank A', 'Frank M', 'Frank F', 'Frank H']],
  [
    61,
    [
      'III',
      'aVR',
      'aVL',
      'aVF',
      '-aVR',
      'V8',
      'V9',
      'V8R',
      'V9R',
      'D',
      'A',
      'J',
      'Defibrillator',
      'External pacing',
    ],
  ],
  [75, range('A', 1, 4)],
  [
    86,
    ['Chest', 'V', 'VR', 'VL', 'VF', 'MCL', ...range('MCL', 1, 6), 'CC', ...range('CC', 1, 4), 'CC6', 'CC7'],
  ],
  [105, ['CM', ...range('CM', 1, 4), 'CM6']],
  [121, ['CM7', 'CH5', 'CS5', 'CB5', 'CR5', 'ML', ...range('AB', 1, 4), 'ES', 'AS', 'AI', 'S']],
  [147, ['RL', 'CV5RL', 'CV6LL', 'CV6LU', 'V10']],
];

const NAMES: ReadonlyMap<number, string> = new Map(
  ROWS.flatMap(([first, names]) => names.map((name, i) => [first + i, name] as const)),
);

const IDS: ReadonlyMap<string, number> = new Map([...NAMES].map(([id, name]) => [name, id]));

/** The number of a lead that is connected as its name says; undefined where it is not, or has no number. */
export const scpLeadId = (lead: LeadMatch | undefined): number | undefined =>
  isAsNamed(lead) ? IDS.get(`${lead.isInverted ? '-' : ''}${leadName(lead.code)}`) : undefined;

export const scpLeadName = (id: number): string => NAMES.get(id) ?? `lead ${id}`;
