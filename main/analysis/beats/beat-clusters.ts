// Beats of one shape, over the whole recording: each beat goes to the template that it lies nearest to, or
// begins one of its own; templates that turn out to be the same are joined. Analysis reference, 5.6.

import { nearest, type ShapeFormat } from './beat-shape.ts';

/** Farther from every template, a beat begins a new one. */
const SAME_DISTANCE = 0.5;
/** Two templates with at least this likeness, whose sizes differ by no more than the next factor, are one. */
const SAME_CORRELATION = 0.9;
const SAME_SIZE = 1.6;
/** Noise makes a shape of its own of every beat; the smallest groups make room. */
const MAX_CLUSTERS = 60;
/** Each is held against each: a bad day would make thousands. */
const MAX_JOINED = 200;
const LEAST_UPDATE = 0.05;

export interface Cluster {
  readonly template: Float32Array;
  /** Indices of beats, in order. */
  readonly members: number[];
}

function follow(cluster: Cluster, row: Float32Array, shift: number): void {
  const weight = Math.max(1 / cluster.members.length, LEAST_UPDATE);
  const { template } = cluster;
  for (let k = Math.max(0, -shift); k < template.length - Math.max(0, shift); k++)
    template[k] = (template[k] as number) + weight * ((row[k + shift] as number) - (template[k] as number));
}

/** The two templates that are most alike, if they are the same. */
function findSame(format: ShapeFormat, clusters: readonly Cluster[]): [Cluster, Cluster] | undefined {
  let best: [Cluster, Cluster] | undefined;
  let bestCorrelation = SAME_CORRELATION;
  for (const [i, one] of clusters.entries())
    for (const other of clusters.slice(i + 1)) {
      const { correlation, area } = nearest(format, other.template, one.template);
      if (correlation <= bestCorrelation || area > SAME_SIZE || area < 1 / SAME_SIZE) continue;
      best = one.members.length >= other.members.length ? [one, other] : [other, one];
      bestCorrelation = correlation;
    }
  return best;
}

/** The groups so far. */
export interface OpenClusters {
  readonly open: Cluster[];
  /** Groups that made room for others. */
  readonly retired: Cluster[];
  format: ShapeFormat;
}

/** Groups beats as they come, section after section. */
export class BeatClusterer {
  readonly state: OpenClusters;

  /** @param state of groups that are gone on with */
  constructor(state?: OpenClusters) {
    this.state = state ?? { open: [], retired: [], format: { width: 0, leadCount: 0, fiducial: 0 } };
  }

  /** @param beat its index among all beats @param row its shape, in the format of all the others */
  add(format: ShapeFormat, beat: number, row: Float32Array): void {
    const { open, retired } = this.state;
    const { width, leadCount, fiducial } = format;
    this.state.format = { width, leadCount, fiducial };
    let best: { cluster: Cluster; distance: number; shift: number } | undefined;
    for (const cluster of open) {
      const { distance, shift } = nearest(format, row, cluster.template);
      if (distance < (best?.distance ?? SAME_DISTANCE)) best = { cluster, distance, shift };
    }
    if (best !== undefined) {
      best.cluster.members.push(beat);
      follow(best.cluster, row, best.shift);
      return;
    }
    if (open.length === MAX_CLUSTERS) {
      const smallest = open.reduce((a, b) => (b.members.length < a.members.length ? b : a));
      retired.push(...open.splice(open.indexOf(smallest), 1));
    }
    open.push({ template: Float32Array.from(row), members: [beat] });
  }

  /** @returns clusters in the order of their first beat, those of one shape joined */
  finish(): Cluster[] {
    const { format } = this.state;
    const found = [...this.state.retired, ...this.state.open];
    let apart: Cluster[] = [];
    let clusters = found;
    // Single shapes are not joined with each other: that would make shapes of noise.
    if (found.length > MAX_CLUSTERS) {
      const bySize = found
        .filter(({ members }) => members.length > 1)
        .sort((a, b) => b.members.length - a.members.length);
      clusters = bySize.slice(0, MAX_JOINED);
      apart = [...found.filter(({ members }) => members.length === 1), ...bySize.slice(MAX_JOINED)];
    }
    for (let same = findSame(format, clusters); same !== undefined; same = findSame(format, clusters)) {
      const [kept, joined] = same;
      for (const member of joined.members) kept.members.push(member);
      kept.members.sort((a, b) => a - b);
      clusters = clusters.filter((cluster) => cluster !== joined);
    }
    return [...clusters, ...apart].sort((a, b) => (a.members[0] as number) - (b.members[0] as number));
  }
}
