// One page of a PDF on a canvas, in device pixels, with its text over it: to select, to find, and for screen readers. A page
// far from the window is not drawn.

import { type PDFDocumentProxy, TextLayer } from 'pdfjs-dist';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './report.module.css';

/** A page is drawn when it is this near to the window, in shares of the window's height. */
const NEAR = '150% 0px';

interface PageOf {
  readonly pdf: PDFDocumentProxy;
  readonly number: number;
}

/** Draws it in so many pixels a point. @returns what stops it */
export function drawPage(
  { pdf, number }: PageOf,
  canvas: HTMLCanvasElement,
  scale: number,
  onDrawn: () => void = () => undefined,
): () => void {
  let cancel = (): void => undefined;
  let isGone = false;
  const draw = async (): Promise<void> => {
    const page = await pdf.getPage(number);
    if (isGone) return;
    const viewport = page.getViewport({ scale: scale * devicePixelRatio });
    canvas.width = Math.round(viewport.width);
    canvas.height = Math.round(viewport.height);
    canvas.style.width = `${viewport.width / devicePixelRatio}px`;
    canvas.style.height = `${viewport.height / devicePixelRatio}px`;
    const task = page.render({ canvas, viewport });
    cancel = () => task.cancel();
    await task.promise;
    onDrawn();
  };
  // A drawing that a newer one has overtaken ends with an error, and that is as it should be.
  draw().catch((error: unknown) => {
    if (!isGone) throw error;
  });
  return () => {
    isGone = true;
    cancel();
  };
}

function useNear(ref: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new IntersectionObserver(([entry]) => setIsNear(entry?.isIntersecting === true), {
      root: element.parentElement?.parentElement ?? null,
      rootMargin: NEAR,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return isNear;
}

/** Its places follow `--total-scale-factor`, so that zooming rebuilds nothing. */
async function layText({ pdf, number }: PageOf, container: HTMLElement): Promise<void> {
  const page = await pdf.getPage(number);
  const viewport = page.getViewport({ scale: 1 });
  container.replaceChildren();
  await new TextLayer({ textContentSource: await page.getTextContent(), container, viewport }).render();
}

interface PdfPageProps extends PageOf {
  /** CSS pixels per point. */
  readonly scale: number;
  /** The width of the first page, until this one is drawn. */
  readonly widthPt: number;
  readonly heightPt: number;
  onText(): void;
}

export function PdfPage({ pdf, number, scale, widthPt, heightPt, onText }: PdfPageProps): ReactNode {
  const { t } = useTranslation();
  const figure = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const said = useRef(onText);
  said.current = onText;
  const [hasText, setHasText] = useState(false);
  const [drawnScale, setDrawnScale] = useState<number>();
  const isNear = useNear(figure);
  useEffect(() => {
    let isGone = false;
    layText({ pdf, number }, text.current as HTMLDivElement)
      .then(() => {
        if (isGone) return;
        setHasText(true);
        said.current();
      })
      .catch((error: unknown) => {
        if (!isGone) throw error;
      });
    return () => {
      isGone = true;
    };
  }, [pdf, number]);
  useEffect(() => {
    if (!isNear) return;
    return drawPage({ pdf, number }, canvas.current as HTMLCanvasElement, scale, () => setDrawnScale(scale));
  }, [pdf, number, scale, isNear]);
  return (
    <figure
      ref={figure}
      className={classes.page}
      style={{ minWidth: widthPt * scale, minHeight: heightPt * scale }}
      aria-label={t('report.page', { page: number, pages: pdf.numPages })}
    >
      {/* Whoever sees that the page is drawn can read its text. */}
      <canvas ref={canvas} data-drawn={hasText ? drawnScale : undefined} data-testid={`page-${number}`} />
      <div
        ref={text}
        className={classes.text}
        style={{ '--total-scale-factor': scale } as Record<string, number>}
        data-page-text={number}
      />
    </figure>
  );
}
