// Ports at which others connect.

import type { DOOR_QUERIES } from '../../../shared/bridge/contract/doors.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Answers } from './caller.ts';

export const doorAnswers = ({ doors }: Clinic): Answers<keyof typeof DOOR_QUERIES> => ({
  'door.crowded': async () => ({
    doors: doors.list().map(({ name, count, sinceMs, address }) => ({ name, count, sinceMs, address })),
  }),
});
