// A device as recordings tell of it, for tests in which it makes no difference.

import type { RecordedDevice } from '../../shared/signal/stream-file.ts';

export const RECORDED_DEVICE: RecordedDevice = {
  driver: 'x',
  variant: 'x',
  name: 'MobilECG',
  class: 'diagnostic',
  isSimulated: false,
  isCalibrated: true,
  leadSet: 'x',
  highPassHz: 0,
  lowPassHz: 0,
  hasCounter: true,
};
