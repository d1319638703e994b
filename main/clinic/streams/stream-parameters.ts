// What the start of a stream agrees on (D71, D72).

import { IsolineError, type Reason } from '../../../shared/errors.ts';
import type { StreamScale } from '../../../shared/signal/stream-file.ts';
import type { StartRequest } from '../../../shared/v3/v3.ts';
import type { StreamParameters } from './records.ts';

const SCALE_FIELDS = ['digital_minimum', 'digital_maximum', 'physical_minimum', 'physical_maximum'] as const;

/** All four fields or none count (specification, Scaling rules; D71). */
function scaleOf(request: StartRequest): StreamScale | undefined {
  const [digitalMinimum, digitalMaximum, physicalMinimumMv, physicalMaximumMv] = SCALE_FIELDS.map((field) => request[field]);
  if (digitalMinimum === undefined || digitalMaximum === undefined) return undefined;
  if (physicalMinimumMv === undefined || physicalMaximumMv === undefined) return undefined;
  const refuse = (field: string): never => {
    throw new IsolineError(`invalid_${field}` as Reason, `The field "${field}" must differ from the minimum.`);
  };
  if (digitalMinimum === digitalMaximum) refuse('digital_maximum');
  if (physicalMinimumMv === physicalMaximumMv) refuse('physical_maximum');
  return { digitalMinimum, digitalMaximum, physicalMinimumMv, physicalMaximumMv };
}

export function parametersOf(request: StartRequest): StreamParameters {
  const scale = scaleOf(request);
  return { sampleRateHz: request.sample_rate, leadCodes: request.lead_codes, ...(scale !== undefined && { scale }) };
}

/** Some of the four scaling fields were stated, and none was used. */
export const isScalePartial = (request: StartRequest): boolean =>
  scaleOf(request) === undefined && SCALE_FIELDS.some((field) => request[field] !== undefined);

export const haveSameParameters = (a: StreamParameters, b: StreamParameters): boolean =>
  a.sampleRateHz === b.sampleRateHz &&
  a.leadCodes.join() === b.leadCodes.join() &&
  a.scale?.digitalMinimum === b.scale?.digitalMinimum &&
  a.scale?.digitalMaximum === b.scale?.digitalMaximum &&
  a.scale?.physicalMinimumMv === b.scale?.physicalMinimumMv &&
  a.scale?.physicalMaximumMv === b.scale?.physicalMaximumMv;
