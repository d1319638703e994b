// One page of a PDF on a canvas, in device pixels, with its text for screen readers.

import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './report.module.css';

interface Props {
  readonly pdf: PDFDocumentProxy;
  readonly number: number;
  /** CSS pixels per point. */
  readonly scale: number;
}

export function PdfPage({ pdf, number, scale }: Props): ReactNode {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  // One state: whoever sees that the page is drawn can read its text.
  const [drawn, setDrawn] = useState<{ readonly text: string; readonly scale: number }>();
  useEffect(() => {
    let cancel = (): void => undefined;
    let isGone = false;
    const draw = async (): Promise<void> => {
      const page = await pdf.getPage(number);
      const target = canvas.current;
      if (isGone || target === null) return;
      const viewport = page.getViewport({ scale: scale * devicePixelRatio });
      target.width = Math.round(viewport.width);
      target.height = Math.round(viewport.height);
      target.style.width = `${viewport.width / devicePixelRatio}px`;
      target.style.height = `${viewport.height / devicePixelRatio}px`;
      const task = page.render({ canvas: target, viewport });
      cancel = () => task.cancel();
      const [{ items }] = await Promise.all([page.getTextContent(), task.promise]);
      setDrawn({ text: items.map((item) => ('str' in item ? item.str : '')).join(' '), scale });
    };
    // A drawing that a newer one has overtaken ends with an error, and that is as it should be.
    draw().catch((error: unknown) => {
      if (!isGone) throw error;
    });
    return () => {
      isGone = true;
      cancel();
    };
  }, [pdf, number, scale]);
  return (
    <figure className={classes.page} aria-label={t('report.page', { page: number, pages: pdf.numPages })}>
      <canvas ref={canvas} data-drawn={drawn?.scale} data-testid={`page-${number}`} />
      <figcaption className="hidden">{drawn?.text}</figcaption>
    </figure>
  );
}
