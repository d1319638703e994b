// What the analysis takes as given, from the changes that a person made one after another.

import type { BeatLabel } from '../analysis-result.ts';
import type { Correction, DrawnCode, MarkName } from './corrections.ts';

export interface StatedBeat {
  readonly sample: number;
  /** Its class; that of the analysis where left out. */
  readonly label?: BeatLabel;
}

export interface StatedShape extends Required<StatedBeat> {
  readonly isFamily?: true;
}

export interface DrawnEpisode {
  readonly startSample: number;
  readonly endSample: number;
  readonly code: DrawnCode;
}

export interface Constraints {
  /** There is a beat, and here is its R: confirmed, moved here, or added. In order. */
  readonly beats?: readonly StatedBeat[];
  /** Here is none: removed, or moved away. */
  readonly noBeats?: readonly number[];
  /** All beats with the shape of the one at this place have this class, or all of its family. */
  readonly shapes?: readonly StatedShape[];
  /** Marks of the median beat in milliseconds from R; null: there is none. */
  readonly marksMs?: Readonly<Partial<Record<MarkName, number | null>>>;
  /** Rhythms of stretches, in order, none over another; what was found there gives way. */
  readonly episodes?: readonly DrawnEpisode[];
  /** Codes of statements that a person rejected and on which others rest, in alphabetical order. */
  readonly rejected?: readonly string[];
}

/**
 * Other rules rest on it. A rhythm is put right by drawing another one, and premature beats by relabelling them: until
 * then what was found of them stands as it is.
 */
const isGround = (code: string): boolean => !/^(RHY|ECT|SUM|QUAL|FREE)-/.test(code);

/** What is left of drawn episodes outside of a stretch. */
function outsideOf(episodes: readonly DrawnEpisode[], start: number, end: number): DrawnEpisode[] {
  return episodes.flatMap((episode) =>
    [
      { ...episode, endSample: Math.min(episode.endSample, start) },
      { ...episode, startSample: Math.max(episode.startSample, end) },
    ].filter(({ startSample, endSample }) => startSample < endSample),
  );
}

/** Changes are folded in their order: the last word on a place counts. */
class Folded {
  readonly beats = new Map<number, StatedBeat>();
  readonly noBeats = new Set<number>();
  readonly shapes = new Map<number, StatedShape>();
  readonly marksMs: Partial<Record<MarkName, number | null>> = {};
  readonly rejected = new Set<string>();
  episodes: DrawnEpisode[] = [];

  take(change: Correction): void {
    switch (change.kind) {
      case 'beat':
      case 'beatAdded':
        this.noBeats.delete(change.sample);
        this.beats.set(change.sample, { sample: change.sample, label: change.label });
        return;
      case 'beatRemoved':
        this.beats.delete(change.sample);
        this.noBeats.add(change.sample);
        return;
      case 'shape':
      case 'family':
        // What was said of this one beat before gives way; its place stays.
        if (this.beats.has(change.sample)) this.beats.set(change.sample, { sample: change.sample });
        // Behind all others: of two shapes that are one, the last word counts.
        this.shapes.delete(change.sample);
        this.shapes.set(change.sample, {
          sample: change.sample,
          label: change.label,
          ...(change.kind === 'family' && { isFamily: true }),
        });
        return;
      case 'mark':
        this.marksMs[change.name] = change.ms;
        return;
      case 'markReset':
        delete this.marksMs[change.name];
        return;
      case 'rhythm': {
        const { startSample, endSample, code } = change;
        this.#erase(startSample, endSample);
        if (startSample < endSample) this.episodes.push({ startSample, endSample, code });
        return;
      }
      case 'rhythmErased':
        this.#erase(change.startSample, change.endSample);
        return;
      case 'rejected':
        if (isGround(change.code)) this.rejected.add(change.code);
        return;
      case 'accepted':
      case 'reworded':
      case 'restored':
      case 'stated':
        this.rejected.delete(change.code);
        return;
    }
  }

  #erase(start: number, end: number): void {
    this.episodes = outsideOf(this.episodes, start, end);
  }
}

/** Empty where nothing was changed that is measured. */
export function constraintsOf(changes: readonly Correction[]): Constraints {
  const folded = new Folded();
  for (const change of changes) folded.take(change);
  const { beats, noBeats, shapes, marksMs, episodes, rejected } = folded;
  return {
    ...(beats.size > 0 && { beats: [...beats.values()].sort((a, b) => a.sample - b.sample) }),
    ...(noBeats.size > 0 && { noBeats: [...noBeats].sort((a, b) => a - b) }),
    ...(shapes.size > 0 && { shapes: [...shapes.values()] }),
    ...(Object.keys(marksMs).length > 0 && { marksMs }),
    ...(episodes.length > 0 && { episodes: episodes.sort((a, b) => a.startSample - b.startSample) }),
    ...(rejected.size > 0 && { rejected: [...rejected].sort() }),
  };
}
