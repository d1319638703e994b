// A PDF opened with pdf.js, without anything that a PDF may bring to life: no scripts, no forms, no links
// (SEC33).

import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

GlobalWorkerOptions.workerSrc = workerUrl;

/** @param pdf is handed over to the worker and must not be used afterwards. */
export function openPdf(pdf: Uint8Array): Promise<PDFDocumentProxy> {
  const base = new URL('./pdf/', document.baseURI);
  return getDocument({
    data: pdf,
    standardFontDataUrl: new URL('standard_fonts/', base).href,
    cMapUrl: new URL('cmaps/', base).href,
    cMapPacked: true,
    enableXfa: false,
    useWasm: false,
  }).promise;
}

/** All text of the first page, in reading order. */
export async function firstPageText(pdf: PDFDocumentProxy): Promise<string> {
  const page = await pdf.getPage(1);
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? item.str : '')).join(' ');
}
