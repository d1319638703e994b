// The pages of a long report, small: a click goes there.

import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { drawPage } from './pdf-page.tsx';
import classes from './report.module.css';

const WIDTH_PX = 88;

function Thumbnail({
  pdf,
  number,
  widthPt,
}: {
  pdf: PDFDocumentProxy;
  number: number;
  widthPt: number;
}): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(
    () => drawPage({ pdf, number }, canvas.current as HTMLCanvasElement, WIDTH_PX / widthPt),
    [pdf, number, widthPt],
  );
  return <canvas ref={canvas} />;
}

/** The page in the middle of the window. */
function useShownPage(area: RefObject<HTMLElement | null>): number {
  const [shown, setShown] = useState(1);
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    const look = (): void => {
      const { top, height } = element.getBoundingClientRect();
      const pages = [...element.querySelectorAll('figure')];
      const above = pages.filter((page) => page.getBoundingClientRect().top <= top + height / 2);
      setShown(Math.max(1, above.length));
    };
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [area]);
  return shown;
}

interface ThumbnailsProps {
  readonly pdf: PDFDocumentProxy;
  readonly widthPt: number;
  readonly area: RefObject<HTMLElement | null>;
}

export function Thumbnails({ pdf, widthPt, area }: ThumbnailsProps): ReactNode {
  const { t } = useTranslation();
  const shown = useShownPage(area);
  return (
    <nav className={classes.thumbnails} aria-label={t('report.pages')}>
      {Array.from({ length: pdf.numPages }, (_, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: pages of a document have no other identity
          key={index}
          type="button"
          aria-label={t('report.page', { page: index + 1, pages: pdf.numPages })}
          aria-current={index + 1 === shown ? 'page' : undefined}
          onClick={() => area.current?.querySelectorAll('figure')[index]?.scrollIntoView({ block: 'start' })}
        >
          <Thumbnail pdf={pdf} number={index + 1} widthPt={widthPt} />
          <span>{index + 1}</span>
        </button>
      ))}
    </nav>
  );
}
