// First stage: the signal is looked through, and its beats are found. Analysis reference, sections 3 to 5.

import type { AnalysisProgress } from '../../../shared/analysis-stage.ts';
import type { Constraints } from '../../../shared/review/constraints.ts';
import type { Recording } from '../../../shared/signal/recording.ts';
import { type FoundBeats, findBeats, type Learned } from '../beats/find-beats.ts';
import { type SignalScan, scanSignal } from '../beats/signal-scan.ts';
import { rejectedRanges } from '../constraints.ts';
import { type LeadReader, openLeads } from '../signal/lead-signals.ts';
import { type Section, sectionsOf } from '../signal/sections.ts';
import { joinRanges, type Range, type TimeBase } from '../signal/time-base.ts';
import type { Waypoints } from '../signal/walk.ts';

export interface StageInput extends Learned {
  readonly recording: Recording;
  readonly constraints: Constraints;
  readonly waypoints: Waypoints | undefined;
  readonly onProgress: (progress: AnalysisProgress) => void;
}

export interface BeatStage {
  readonly reader: LeadReader;
  readonly sections: readonly Section[];
  readonly scan: SignalScan;
  readonly found: FoundBeats;
  /** Fiducials of all beats, in order. */
  readonly samples: readonly number[];
  /** Where noise hides the beats, or somebody saw that a pause or an arrest is none, nothing is known of them, as where samples are missing. */
  readonly time: TimeBase;
  /** Where the ventricles fibrillate or stand still. */
  readonly arrests: readonly Range[];
}

/** Shorter recordings are analysed before anybody has read how far they are. */
const MINUTES_TOLD = 30;

/** Tells how many minutes of a recording of several sections a stage is through with. */
export function progressIn(
  stage: AnalysisProgress['stage'],
  { sampleCount, sampleRateHz }: LeadReader,
  tell: (progress: AnalysisProgress) => void,
): (section: Section) => void {
  const minutesOf = (samples: number): number => Math.round(samples / sampleRateHz / 60);
  return ({ core: [, end] }) => {
    const ofMinutes = minutesOf(sampleCount);
    if (ofMinutes >= MINUTES_TOLD) tell({ stage, minute: minutesOf(end), ofMinutes });
  };
}

export function findBeatsOf(input: StageInput): BeatStage {
  const { recording, constraints, waypoints, onProgress } = input;
  const reader = openLeads(recording);
  const sections = reader.leads.length === 0 ? [] : sectionsOf(reader.sampleCount, reader.sampleRateHz);
  onProgress({ stage: 'beats' });
  const scan = scanSignal(reader, sections, progressIn('beats', reader, onProgress), waypoints);
  const found = findBeats(reader, sections, scan, constraints, input, waypoints);
  return {
    reader,
    sections,
    scan,
    found,
    samples: found.beats.map(({ sample }) => sample),
    time: {
      ...scan.time,
      gaps: joinRanges([
        ...scan.time.gaps,
        ...found.unread,
        ...rejectedRanges(constraints, 'PAUSE', 'ASYS', 'VF'),
      ]),
    },
    arrests: [...found.ventricularFibrillation, ...found.asystole],
  };
}
