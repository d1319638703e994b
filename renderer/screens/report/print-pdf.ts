// Prints the pages of a report in their true size: drawn as for a printer, with nothing of the screen around
// them.

import type { PDFDocumentProxy } from 'pdfjs-dist';
import classes from './print.module.css';

const PRINT_DPI = 300;
const POINTS_PER_INCH = 72;

async function drawPage(pdf: PDFDocumentProxy, number: number): Promise<HTMLImageElement> {
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

/**
 * The sheet of paper is that of the report: on another one a browser shrinks the page, and 10 mm are no
 * longer one millivolt.
 */
async function paperOf(pdf: PDFDocumentProxy): Promise<CSSStyleSheet> {
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  const paper = new CSSStyleSheet();
  paper.replaceSync(`@page { size: ${width}pt ${height}pt; margin: 0; }`);
  return paper;
}

export async function printPdf(pdf: PDFDocumentProxy): Promise<void> {
  const sheet = document.createElement('div');
  sheet.className = classes.sheet ?? '';
  sheet.setAttribute('aria-hidden', 'true');
  const images = await Promise.all(
    Array.from({ length: pdf.numPages }, (_, index) => drawPage(pdf, index + 1)),
  );
  sheet.append(...images);
  const paper = await paperOf(pdf);
  document.adoptedStyleSheets.push(paper);
  document.body.append(sheet);
  document.documentElement.dataset.printing = 'true';
  print();
  delete document.documentElement.dataset.printing;
  sheet.remove();
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== paper);
  for (const { src } of images) URL.revokeObjectURL(src);
}
