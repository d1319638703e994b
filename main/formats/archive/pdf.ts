// A report that carries its recording, taken for what it carries: the files attached to a PDF. Read with pdf.js, which is
// loaded when the first one comes.

import { IsolineError } from '../../../shared/errors.ts';
import { isReportPaper } from '../../ground/report-attachments.ts';
import type { ByteSource } from '../byte-source.ts';
import { corrupt, type Unpacking } from './unpacking.ts';

/** A report of ours with its recording is smaller; what is larger is read by nobody as a whole. */
const MOST_BYTES = 128 * 2 ** 20;
const PIECE_BYTES = 1 << 20;

export interface PdfAttachment {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** @throws IsolineError `archive_too_large`, `archive_corrupt`, `archive_encrypted` */
export async function pdfAttachments(source: ByteSource): Promise<PdfAttachment[]> {
  if (source.sizeBytes > MOST_BYTES)
    throw new IsolineError('archive_too_large', 'The PDF is too large to be a report with its recording.');
  // Its own worker is the thread that this runs in.
  await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs');
  const { getDocument, PasswordException } = await import('pdfjs-dist/legacy/build/pdf.min.mjs');
  const task = getDocument({
    data: Uint8Array.from(source.read(0, source.sizeBytes)),
    verbosity: 0,
    stopAtErrors: true,
    useSystemFonts: false,
  });
  try {
    const document = await task.promise;
    const attached = await document.getAttachments();
    const found: PdfAttachment[] = [];
    for (const [id, { filename }] of attached ?? []) {
      const content = await document.getAttachmentContent(id);
      if (content !== null) found.push({ name: filename, bytes: content });
    }
    return found;
  } catch (error) {
    if (error instanceof PasswordException)
      throw new IsolineError('archive_encrypted', 'The PDF is encrypted. Save it without a password.');
    throw corrupt('the PDF cannot be read', error);
  } finally {
    await task.destroy();
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** What belongs to the report alone stays behind. */
export async function unpackPdf(source: ByteSource, unpacking: Unpacking): Promise<void> {
  let isCarrying = false;
  for (const { name: stored, bytes } of await pdfAttachments(source)) {
    unpacking.count();
    const name = unpacking.accept(stored);
    if (name === undefined || isReportPaper(name)) continue;
    await unpacking.take(name, piecesOf(bytes));
    isCarrying = true;
  }
  if (!isCarrying)
    throw new IsolineError(
      'no_ecg_record',
      'The PDF carries no ECG recording. Choose the file that the device saved instead.',
    );
}
