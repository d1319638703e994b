// Prints the pages of a report in their true size, drawn as for a printer.

import type { PDFDocumentProxy } from 'pdfjs-dist';
import { printSheet } from '../../parts/print-sheet.ts';

const PRINT_DPI = 300;
const POINTS_PER_INCH = 72;

async function drawnPage(pdf: PDFDocumentProxy, number: number): Promise<HTMLImageElement> {
  const page = await pdf.getPage(number);
  const viewport = page.getViewport({ scale: PRINT_DPI / POINTS_PER_INCH });
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  await page.render({ canvas, viewport }).promise;
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
  const image = new Image();
  image.src = URL.createObjectURL(blob ?? new Blob());
  const { width, height } = page.getViewport({ scale: 1 });
  image.style.width = `${width}pt`;
  image.style.height = `${height}pt`;
  await image.decode();
  return image;
}

export async function printPdf(pdf: PDFDocumentProxy): Promise<void> {
  const images = await Promise.all(
    Array.from({ length: pdf.numPages }, (_, index) => drawnPage(pdf, index + 1)),
  );
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  printSheet(images, `${width}pt ${height}pt`);
  for (const { src } of images) URL.revokeObjectURL(src);
}
