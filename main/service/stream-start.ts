// The start of a stream, from the names of the interface (D71).

import { IsolineError, type Reason } from '../../shared/errors.ts';
import type { StreamScale } from '../../shared/signal/stream-file.ts';
import type { StartRequest } from '../../shared/v3/v3.ts';
import type { StreamStart } from '../clinic/streams/records.ts';

const SCALE_FIELDS = ['digital_minimum', 'digital_maximum', 'physical_minimum', 'physical_maximum'] as const;

/** All four fields or none count (specification, Scaling rules; D71). */
function scaleOf(request: StartRequest): StreamScale | undefined {
  const [digitalMinimum, digitalMaximum, physicalMinimumMv, physicalMaximumMv] = SCALE_FIELDS.map(
    (field) => request[field],
  );
  if (digitalMinimum === undefined || digitalMaximum === undefined) return undefined;
  if (physicalMinimumMv === undefined || physicalMaximumMv === undefined) return undefined;
  const refuse = (field: string): never => {
    throw new IsolineError(
      `invalid_${field}` as Reason,
      `The field "${field}" must differ from the minimum.`,
    );
  };
  if (digitalMinimum === digitalMaximum) refuse('digital_maximum');
  if (physicalMinimumMv === physicalMaximumMv) refuse('physical_maximum');
  return { digitalMinimum, digitalMaximum, physicalMinimumMv, physicalMaximumMv };
}

/** @throws IsolineError `invalid_digital_maximum`, `invalid_physical_maximum` for a scale without a height */
export function streamStartOf(request: StartRequest): StreamStart {
  const scale = scaleOf(request);
  return {
    taskId: request.task_id,
    deviceId: request.device_id,
    parameters: {
      sampleRateHz: request.sample_rate,
      leadCodes: request.lead_codes,
      ...(scale !== undefined && { scale }),
    },
    // Some of the four were stated, and none was used.
    isScalePartial: scale === undefined && SCALE_FIELDS.some((field) => request[field] !== undefined),
    deviceState: request.device_state,
    totalFrames: request.total_frames,
  };
}
