// What the analysis takes as given, from the changes that a person made one after another.

import type { BeatLabel } from '../analysis-result.ts';
import {
  type Correction,
  type DrawnCode,
  type JudgedCode,
  type MarkName,
  type SingleCorrection,
  singlesOf,
} from './corrections.ts';

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

export interface RejectedEpisode {
  readonly startSample: number;
  readonly endSample: number;
  readonly code: JudgedCode;
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
  /** Where a person saw no episode of a kind, in order: what else is there, nobody has said. */
  readonly rejectedEpisodes?: readonly RejectedEpisode[];
  /** Codes of statements that a person rejected and on which others rest, in alphabetical order. */
  readonly rejected?: readonly string[];
}

/**
 * Other rules rest on it. A rhythm is put right by drawing another one, and premature beats by relabelling them: until
 * then what was found of them stands as it is.
 */
const isGround = (code: string): boolean => !/^(RHY|ECT|SUM|QUAL|FREE)-/.test(code);

/** What is left of episodes outside of a stretch. */
function outsideOf<E extends { readonly startSample: number; readonly endSample: number }>(
  episodes: readonly E[],
  start: number,
  end: number,
): E[] {
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
  rejectedEpisodes: RejectedEpisode[] = [];

  take(change: SingleCorrection): void {
    switch (change.kind) {
      case 'beat':
      case 'beatAdded':
        this.noBeats.delete(change.sample);
        this.beats.set(change.sample, { sample: change.sample, label: change.label });
        return;
      case 'beats':
        for (const sample of change.samples) {
          this.noBeats.delete(sample);
          this.beats.set(sample, { sample, label: change.label });
        }
        return;
      case 'familyDivided':
        // What is divided off keeps its class, whatever is said of the others later; or the one that a beat has alone.
        for (const sample of change.samples)
          if (this.beats.get(sample)?.label === undefined)
            this.beats.set(sample, { sample, label: change.label });
        return;
      case 'families':
        for (const sample of change.samples) this.#stateShape(sample, change.label, true);
        return;
      case 'beatRemoved':
        this.beats.delete(change.sample);
        this.noBeats.add(change.sample);
        return;
      case 'shape':
      case 'family':
        // What was said of this one beat before gives way; its place stays.
        if (this.beats.has(change.sample)) this.beats.set(change.sample, { sample: change.sample });
        this.#stateShape(change.sample, change.label, change.kind === 'family');
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
      case 'episodeAccepted':
      case 'episodeRejected':
        this.#judge(change, change.kind === 'episodeRejected');
        return;
      case 'episodeMoved':
        this.#move(change);
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

  #stateShape(sample: number, label: BeatLabel, isFamily: boolean): void {
    // Behind all others: of two shapes that are one, the last word counts.
    this.shapes.delete(sample);
    this.shapes.set(sample, { sample, label, ...(isFamily && { isFamily: true }) });
  }

  /** It says that there is none of this kind, and nothing of what is there instead. */
  #judge({ code, startSample, endSample }: RejectedEpisode, isRejected: boolean): void {
    this.rejectedEpisodes = this.rejectedEpisodes.filter(
      (other) => other.code !== code || other.startSample !== startSample || other.endSample !== endSample,
    );
    if (isRejected && startSample < endSample) this.rejectedEpisodes.push({ startSample, endSample, code });
  }

  #move(change: Extract<Correction, { kind: 'episodeMoved' }>): void {
    const { code, startSample, endSample, toStartSample } = change;
    // The last beat belongs to it.
    const toEnd = change.toEndSample + 1;
    const others = this.episodes.filter((episode) => episode.code !== code);
    const own = outsideOf(
      this.episodes.filter((episode) => episode.code === code),
      startSample,
      endSample + 1,
    );
    this.episodes = outsideOf([...others, ...own], toStartSample, toEnd);
    this.episodes.push({ startSample: toStartSample, endSample: toEnd, code });
    const [otherKinds, ownKind] = [
      this.rejectedEpisodes.filter((episode) => episode.code !== code),
      this.rejectedEpisodes.filter((episode) => episode.code === code),
    ];
    const left = outsideOf([{ startSample, endSample: endSample + 1, code }], toStartSample, toEnd);
    this.rejectedEpisodes = [...otherKinds, ...outsideOf(ownKind, toStartSample, toEnd), ...left];
  }

  #erase(start: number, end: number): void {
    this.episodes = outsideOf(this.episodes, start, end);
  }
}

/** Empty where nothing was changed that is measured. */
export function constraintsOf(changes: readonly Correction[]): Constraints {
  const folded = new Folded();
  for (const change of changes) for (const single of singlesOf(change)) folded.take(single);
  const { beats, noBeats, shapes, marksMs, episodes, rejectedEpisodes, rejected } = folded;
  return {
    ...(beats.size > 0 && { beats: [...beats.values()].sort((a, b) => a.sample - b.sample) }),
    ...(noBeats.size > 0 && { noBeats: [...noBeats].sort((a, b) => a - b) }),
    ...(shapes.size > 0 && { shapes: [...shapes.values()] }),
    ...(Object.keys(marksMs).length > 0 && { marksMs }),
    ...(episodes.length > 0 && { episodes: episodes.sort((a, b) => a.startSample - b.startSample) }),
    ...(rejectedEpisodes.length > 0 && {
      rejectedEpisodes: rejectedEpisodes.sort((a, b) => a.startSample - b.startSample),
    }),
    ...(rejected.size > 0 && { rejected: [...rejected].sort() }),
  };
}
