// What every view of a day has at hand: the day as it is read, where somebody is in it, and the steps that change it.

import { createContext, use } from 'react';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import type { Correction } from '../../../shared/review/corrections.ts';
import type { DayReading } from './model/read-day.ts';

export const HOLTER_VIEWS = ['questions', 'day', 'families', 'full', 'strips', 'findings'] as const;
export type HolterView = (typeof HOLTER_VIEWS)[number];

export interface Holter {
  readonly task: TaskDetail;
  readonly reading: DayReading;
  readonly mayCorrect: boolean;
  /** The sample that is looked at, in all views. */
  readonly at: number;
  /** The lead that is shown where there is room for one. */
  readonly lead: string;
  readonly view: HolterView;
  /** An instant of the clock, where the recording says when it began. */
  readonly startMs: number | undefined;
  readonly timeZone: string | undefined;
  correct(change: Correction): void;
  goTo(sample: number): void;
  show(view: HolterView): void;
  /** The family whose beats are shown. */
  readonly family: number | undefined;
  chooseFamily(family: number): void;
}

const HolterContext = createContext<Holter | undefined>(undefined);
export const HolterProvider = HolterContext.Provider;

export function useHolter(): Holter {
  const holter = use(HolterContext);
  if (holter === undefined) throw new Error('there is no day above this part');
  return holter;
}
