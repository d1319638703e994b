// A report that is open: its pages, and what can be done with them.

import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridge } from '../../bridge/use-bridge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useCommands } from '../../parts/use-keys.ts';
import { ExportMenu } from './export-menu.tsx';
import { FindBar } from './find-bar.tsx';
import { PdfPage } from './pdf-page.tsx';
import { useCheckedPrint } from './print-check.tsx';
import { printPdf } from './print-pdf.ts';
import classes from './report.module.css';
import { Thumbnails } from './thumbnails.tsx';
import { useZoom } from './use-zoom.ts';
import { ViewerBar } from './viewer-bar.tsx';

export interface LoadedReport {
  readonly pdf: PDFDocumentProxy;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isPreliminary: boolean;
  /** The report is another's: it may write names in its own way, or be a picture. */
  readonly isNameMissing: boolean;
  readonly widthPt: number;
  readonly heightPt: number;
}

/** A single page needs no list beside it. */
const FEW_PAGES = 1;

interface OpenReportProps {
  readonly report: LoadedReport;
  readonly taskId: number;
  readonly title: string;
  readonly judge: ReactNode;
  onBack(): void;
}

export function OpenReport({ report, taskId, title, judge, onBack }: OpenReportProps): ReactNode {
  const { t } = useTranslation();
  const bridge = useBridge();
  const area = useRef<HTMLElement>(null);
  const zoom = useZoom(area, report);
  const [isFinding, setIsFinding] = useState(false);
  const [textCount, setTextCount] = useState(0);
  const onText = useCallback(() => setTextCount((count) => count + 1), []);
  const { pdf, widthPt, heightPt } = report;
  const save = (): void => {
    // Never a patient's name in a file name.
    saveFile(`ecg-${taskId}.pdf`, report.bytes, 'application/pdf');
    bridge.call('report.saved', { taskId }).catch(() => undefined);
  };
  const { print, dialog } = useCheckedPrint(() => void printPdf(pdf));
  useCommands('report', {
    print,
    save,
    find: () => setIsFinding(true),
    larger: zoom.larger,
    smaller: zoom.smaller,
    wholePage: () => zoom.setZoom('page'),
    fullSize: () => zoom.setZoom(100),
    // While words are looked for, it ends that, and not the reading.
    ...(isFinding && { back: () => setIsFinding(false) }),
  });
  return (
    <>
      <ViewerBar
        title={title}
        zoom={zoom}
        tools={<ExportMenu taskId={taskId} isApproved={!report.isPreliminary} onSave={save} />}
        judge={judge}
        onBack={onBack}
        onFind={() => setIsFinding(true)}
        onPrint={print}
      />
      {dialog}
      {report.isNameMissing && (
        <p className={classes.preliminary} role="alert">
          <Icon name="warning" /> {t('sync.nameMissing')}
        </p>
      )}
      {report.isPreliminary && (
        <p className={classes.preliminary} role="status">
          <Icon name="warning" /> {t('report.preliminary')}
        </p>
      )}
      {isFinding && <FindBar area={area} textCount={textCount} onClose={() => setIsFinding(false)} />}
      <div className={classes.pages}>
        {pdf.numPages > FEW_PAGES && <Thumbnails pdf={pdf} widthPt={widthPt} area={area} />}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
        <section className={classes.area} ref={area} tabIndex={0} aria-label={title}>
          {Array.from({ length: pdf.numPages }, (_, index) => (
            <PdfPage
              // biome-ignore lint/suspicious/noArrayIndexKey: pages of a document have no other identity
              key={index}
              pdf={pdf}
              number={index + 1}
              scale={zoom.scale}
              widthPt={widthPt}
              heightPt={heightPt}
              onText={onText}
            />
          ))}
        </section>
      </div>
    </>
  );
}
