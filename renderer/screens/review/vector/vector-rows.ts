// The three axes of the vector as rows of the paper.

import { leadName } from '../../../../shared/signal/lead.ts';
import type { ReviewLead } from '../../../trace/draw-review.ts';
import { VECTOR_AXES, VECTOR_SOURCES, vectorLeads } from './vector-leads.ts';

const SOURCE_NAMES = VECTOR_SOURCES.map(leadName);

const sourcesOf = (leads: readonly ReviewLead[]): ReviewLead[] =>
  SOURCE_NAMES.flatMap(
    (source) => leads.find(({ name, isCalibrated }) => name === source && isCalibrated) ?? [],
  );

/** Whether the leads of which the vector is made are there, with their scale. */
export const hasVector = (leads: readonly ReviewLead[]): boolean =>
  sourcesOf(leads).length === SOURCE_NAMES.length;

/** @param leads of a page, with a vector; each axis is named as derived */
export function vectorRows(leads: readonly ReviewLead[]): ReviewLead[] {
  const axes = vectorLeads(sourcesOf(leads).map(({ mv }) => mv));
  return VECTOR_AXES.map((axis) => ({ name: `${axis} (Kors)`, isCalibrated: true, mv: axes[axis] }));
}
