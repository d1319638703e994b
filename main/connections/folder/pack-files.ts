// The newest approved reading of a task as the files of a folder.

import type { Clinic } from '../../clinic/clinic.ts';
import type { OutboxEntry } from '../../clinic/outbox/records.ts';
import type { EcgReading } from '../../formats/ecg-reading.ts';
import { approvedReading, loadOf } from '../packing/approved-reading.ts';
import type { FolderParcel } from './folder-client.ts';

const timeOf = (ms: number): string => new Date(ms).toISOString();

/**
 * What stands in the report, for programs: times are UTC, lengths in ms, angles in degrees. The clock of a file of no known zone is
 * written as it stood there, without a zone.
 */
function jsonOf(
  { pdf: _, startMs, offsetMinutes, approval, asked: _asked, ...reading }: EcgReading,
  name: string,
): object {
  return {
    name,
    ...reading,
    recorded: offsetMinutes === undefined ? timeOf(startMs).replace(/Z$/, '') : timeOf(startMs),
    approval: { isByPhysician: approval.isByPhysician, by: approval.by, at: timeOf(approval.atMs) },
    report: `${name}.pdf`,
  };
}

/** @throws IsolineError where it cannot be made ready */
export async function packFiles(clinic: Clinic, { taskId }: OutboxEntry): Promise<FolderParcel> {
  const { reading, name: numbered, revision, isCurrent } = await approvedReading(clinic, taskId);
  // By such a name the folder of the practice software, where it is the same one, knows that it is no order.
  const name = `isoline-${numbered}`;
  return {
    name,
    pdf: reading.pdf,
    json: Buffer.from(`${JSON.stringify(jsonOf(reading, name), undefined, 2)}\n`),
    load: loadOf(reading.pdf, revision),
    isCurrent,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
