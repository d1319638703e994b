// A recording as a file for another program: one file, or where its format has several, a zip archive of them.

import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { IsolineError } from '../../shared/errors.ts';
import type { Recording, Warning } from '../../shared/signal/recording.ts';
import type { ExportedFile, ExportJob } from '../clinic/ports.ts';
import { WRITERS } from '../formats/writers.ts';
import { SIMULATED_SIGNAL } from '../signal/simulated-signal.ts';

/** It is held in memory, here and on the page. */
const MOST_BYTES = 64 * 2 ** 20;

/** The file that a writer is asked for; others of the record are named after it. */
const ENDINGS: Readonly<Record<ExportJob['format'], string>> = {
  edf: 'edf',
  wfdb: 'hea',
  csv: 'csv',
  dicom: 'dcm',
  aecg: 'xml',
  scp: 'scp',
  flac: 'oga',
};

/** In the file as a remark where the format has remarks, and in its name in any case. */
const asSimulated = (recording: Recording): Recording => ({
  ...recording,
  annotations: [
    { onsetSeconds: 0, durationSeconds: recording.durationSeconds, text: SIMULATED_SIGNAL },
    ...recording.annotations,
  ],
});

/** By name; each whole. @throws IsolineError `format_unsuitable` */
async function writeFiles(
  recording: Recording,
  { format, name }: ExportJob,
): Promise<{ readonly files: ReadonlyMap<string, Uint8Array>; readonly warnings: readonly Warning[] }> {
  const writer = WRITERS.find((each) => each.name === format);
  if (writer === undefined) throw new RangeError(`there is no writer of ${format}`);
  await writer.prepare?.();
  const parts = new Map<string, Uint8Array[]>();
  let size = 0;
  const pieces = writer.write(recording, `${name}.${ENDINGS[format]}`);
  let next = pieces.next();
  for (; next.done !== true; next = pieces.next()) {
    const { fileName, bytes } = next.value;
    size += bytes.length;
    if (size > MOST_BYTES)
      throw new IsolineError(
        'format_unsuitable',
        'This recording is too long to be saved from here. Use "isoline convert" on the command line.',
      );
    // A writer may use its array again.
    const copy = Uint8Array.from(bytes);
    const own = parts.get(fileName);
    if (own === undefined) parts.set(fileName, [copy]);
    else own.push(copy);
  }
  const files = new Map([...parts].map(([fileName, own]) => [fileName, Uint8Array.from(Buffer.concat(own))]));
  return { files, warnings: next.value };
}

async function zipped(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, level: 6 });
  for (const [fileName, bytes] of files) await zip.add(fileName, new Uint8ArrayReader(bytes));
  return zip.close();
}

/** @throws IsolineError `format_unsuitable` where the format cannot hold it, or it is too long */
export async function exportRecording(recording: Recording, job: ExportJob): Promise<ExportedFile> {
  const isSimulated = recording.device?.isSimulated === true;
  const name = isSimulated ? `SIMULATED-${job.name}` : job.name;
  const { files, warnings } = await writeFiles(isSimulated ? asSimulated(recording) : recording, {
    ...job,
    name,
  });
  const [only] = files;
  return only !== undefined && files.size === 1
    ? { name: only[0], bytes: only[1], warnings: [...warnings] }
    : { name: `${name}.zip`, bytes: await zipped(files), warnings: [...warnings] };
}
