// The newest approved reading of a task as a message for a hospital information system.

import type { Hl7Config } from '../../../shared/connections/hl7.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { OutboxEntry } from '../../clinic/outbox/records.ts';
import { hl7Head, hl7Lines, hl7Text, hl7Time } from '../../formats/hl7/hl7-message.ts';
import { writeHl7Result } from '../../formats/hl7/hl7-result.ts';
import { approvedReading, loadOf } from '../packing/approved-reading.ts';
import type { ResultParcel } from './results-client.ts';

/** How messages name an application. */
type Hl7Names = Pick<Hl7Config, 'application' | 'facility'>;

const ownNames = (settings: Settings): Hl7Names => ({
  application: settings['hl7.application'],
  facility: settings['hl7.facility'],
});

/** @throws IsolineError where it cannot be made ready */
export async function packResult(
  clinic: Clinic,
  { taskId }: OutboxEntry,
  to: Hl7Names,
): Promise<ResultParcel> {
  const { clock, settings } = clinic.context;
  const { reading, name, revision, isCurrent } = await approvedReading(clinic, taskId);
  const message = writeHl7Result({
    ...reading,
    controlId: name,
    from: ownNames(settings()),
    to,
    sentMs: clock.nowMs(),
  });
  return {
    message,
    controlId: name,
    load: loadOf(message, revision),
    isCurrent,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Asks whether somebody is there, and says nothing of anybody. */
export function testMessage(settings: Settings, to: Hl7Names, controlId: string, nowMs: number): Uint8Array {
  const own = ownNames(settings);
  const head = hl7Head({
    3: hl7Text(own.application),
    4: hl7Text(own.facility),
    5: hl7Text(to.application),
    6: hl7Text(to.facility),
    7: hl7Time(nowMs, 0),
    9: 'NMD^N02^NMD_N02',
    10: controlId,
    // For debugging: no system makes a patient of it.
    11: 'D',
    12: '2.5.1',
  });
  return Buffer.from(hl7Lines([head]), 'utf8');
}
