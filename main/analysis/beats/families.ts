// Families of beats: those of one class that come equally early and whose shapes are alike, so few that a reader looks at each of
// them (Holter, section 3). What comes once or twice is together as the rest of its class.

import { type Beat, type BeatLabel, FIRST_REST_FAMILY } from '../../../shared/analysis-result.ts';
import type { Cluster } from './beat-clusters.ts';
import { nearest, type ShapeFormat } from './beat-shape.ts';

/** From this likeness on, two shapes are one to a reader; where there are too many of them, less does, down to the least. */
const ALIKE = { usual: 0.95, least: 0.9, step: 0.01 } as const;
/** How much smaller or larger than the other one a shape may be. */
const SAME_SIZE = { from: 0.7, to: 1.4 } as const;
/** Below these, a beat comes early, or very early. */
const EARLY = { early: 0.9, veryEarly: 0.8 } as const;
const LEAST_BEATS = 3;
const MOST_FAMILIES = 40;

type BeatTime = 'inTime' | 'early' | 'veryEarly';

const timeAt = (before: number): BeatTime =>
  before < EARLY.veryEarly ? 'veryEarly' : before < EARLY.early ? 'early' : 'inTime';

interface Group {
  readonly label: BeatLabel;
  readonly time: BeatTime;
  readonly template: Float32Array;
  readonly members: readonly number[];
}

/** What families rest on, whatever a person says of their beats. */
export interface FamilyGrounds {
  readonly clusters: readonly Cluster[];
  readonly before: Float64Array;
  readonly format: ShapeFormat;
  /** What the program takes each beat for. */
  readonly byProgram: readonly BeatLabel[];
}

interface FamilyInput {
  readonly clusters: readonly Cluster[];
  readonly labelOf: (beat: number) => BeatLabel;
  /** Its distance from the beat before, in parts of the usual one around it. */
  readonly before: Float64Array;
  readonly format: ShapeFormat;
  /** How many beats there are in all. */
  readonly count: number;
}

/** The beats of each cluster by their classes and their time, the largest first. */
function groupsOf({ clusters, labelOf, before }: FamilyInput): Group[] {
  const timeOf = (beat: number): BeatTime => timeAt(before[beat] as number);
  return clusters
    .flatMap(({ template, members }) =>
      [...Map.groupBy(members, (beat) => `${labelOf(beat)} ${timeOf(beat)}`).values()].map((own): Group => {
        const [first] = own as [number];
        return { label: labelOf(first), time: timeOf(first), template, members: own };
      }),
    )
    .sort((a, b) => b.members.length - a.members.length);
}

/** Each goes to the family that it is most like, or begins one of its own. */
function gather(groups: readonly Group[], format: ShapeFormat, alike: number): Group[][] {
  const families: Group[][] = [];
  for (const group of groups) {
    let best: Group[] | undefined;
    let most = alike;
    for (const family of families) {
      const [first] = family as [Group];
      if (first.label !== group.label || first.time !== group.time) continue;
      const { correlation, area } = nearest(format, group.template, first.template);
      if (correlation < most || area < SAME_SIZE.from || area > SAME_SIZE.to) continue;
      [best, most] = [family, correlation];
    }
    if (best === undefined) families.push([group]);
    else best.push(group);
  }
  return families;
}

/** @returns the family of each beat, the largest is 0, the rests from `FIRST_REST_FAMILY` on; -1 of a beat in no cluster */
export function familiesOf(input: FamilyInput): Int32Array {
  const { format, count } = input;
  const groups = groupsOf(input);
  const large = groups.filter(({ members }) => members.length >= LEAST_BEATS);
  const room = MOST_FAMILIES - new Set(groups.map(({ label, time }) => `${label} ${time}`)).size;
  let families = gather(large, format, ALIKE.usual);
  for (
    let alike = ALIKE.usual - ALIKE.step;
    families.length > room && alike >= ALIKE.least;
    alike -= ALIKE.step
  )
    families = gather(large, format, alike);
  const sizeOf = (family: readonly Group[]): number =>
    family.reduce((sum, { members }) => sum + members.length, 0);
  const kept = families.sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, room);
  const isKept = new Set(kept.flat());
  const rest = Map.groupBy(
    groups.filter((group) => !isKept.has(group)),
    ({ label, time }) => `${label} ${time}`,
  );
  const familyOf = new Int32Array(count).fill(-1);
  const number = (families: readonly (readonly Group[])[], first: number): void => {
    for (const [i, family] of families.entries())
      for (const { members } of family) for (const beat of members) familyOf[beat] = first + i;
  };
  number(kept, 0);
  number([...rest.values()], FIRST_REST_FAMILY);
  return familyOf;
}

/**
 * The beats with their families: by what the program takes them for, so that a family stays one whatever somebody says of it.
 * @param classOf the program's class of a beat, where it is known better by now
 */
export function withFamilies(
  beats: readonly Beat[],
  { clusters, before, format, byProgram }: FamilyGrounds,
  classOf: (beat: number, label: BeatLabel) => BeatLabel,
): readonly Beat[] {
  const labelOf = (beat: number): BeatLabel => classOf(beat, byProgram[beat] as BeatLabel);
  const familyOf = familiesOf({ clusters, labelOf, before, format, count: beats.length });
  return beats.map((beat, i): Beat => {
    const family = familyOf[i] as number;
    return family < 0 ? beat : { ...beat, family };
  });
}
