// The report of a task as its PDF. The name inside the PDF must be that of the patient in the banner, else it
// is not shown (E4).

import { Button } from '@mantine/core';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import { isNamedOn } from '../../../shared/patient-text.ts';
import { useBridge, useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useKeys } from '../../parts/use-keys.ts';
import { errorText } from '../../text/text.ts';
import { ExportMenu } from './export-menu.tsx';
import { Judge } from './judge.tsx';
import { firstPageText, openPdf } from './pdf-document.ts';
import { PdfPage } from './pdf-page.tsx';
import { printPdf } from './print-pdf.ts';
import classes from './report.module.css';
import { Replaced, Revisions, useRevisions } from './revisions.tsx';

const ZOOM_STEP = 1.25;
const PAGE_MARGIN_PX = 48;

type Stage =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'open';
      readonly pdf: PDFDocumentProxy;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly isPreliminary: boolean;
      /** Of another's report: it may write names in its own way, or be a picture. */
      readonly isNameMissing: boolean;
      readonly widthPt: number;
      readonly heightPt: number;
    }
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'failed'; readonly sentence: string };

function useReport(taskId: number, isCentral: boolean, revision: number | undefined): Stage {
  const { t } = useTranslation();
  const bridge = useBridge();
  const [stage, setStage] = useState<Stage>({ kind: 'loading' });
  useEffect(() => {
    const gone = new AbortController();
    let opened: PDFDocumentProxy | undefined;
    const load = async (): Promise<void> => {
      const report = isCentral
        ? { ...(await bridge.call('sync.report', { taskId }, gone.signal)), approval: 'approved' as const }
        : await bridge.call('report.read', { taskId, ...given({ revision }) }, gone.signal);
      const bytes = Uint8Array.from(report.pdf);
      const pdf = await openPdf(report.pdf);
      opened = pdf;
      if (gone.signal.aborted) {
        await pdf.loadingTask.destroy();
        return;
      }
      const isNameMissing = !isNamedOn(await firstPageText(pdf), report.patient);
      if (isNameMissing && !isCentral) {
        setStage({ kind: 'mismatch' });
        return;
      }
      const page = await pdf.getPage(1);
      const { width: widthPt, height: heightPt } = page.getViewport({ scale: 1 });
      setStage({
        kind: 'open',
        pdf,
        bytes,
        isPreliminary: report.approval === 'preliminary',
        isNameMissing,
        widthPt,
        heightPt,
      });
    };
    load().catch((error: unknown) => {
      if (!gone.signal.aborted)
        setStage({
          kind: 'failed',
          sentence: error instanceof IsolineError ? errorText(error) : t('report.error'),
        });
    });
    return () => {
      gone.abort();
      void opened?.loadingTask.destroy();
    };
  }, [bridge, taskId, isCentral, revision, t]);
  return stage;
}

interface OpenReportProps {
  readonly stage: Extract<Stage, { kind: 'open' }>;
  readonly taskId: number;
  readonly title: string;
  readonly judge: ReactNode;
  onBack(): void;
}

function OpenReport({ stage, taskId, title, judge, onBack }: OpenReportProps): ReactNode {
  const { t } = useTranslation();
  const area = useRef<HTMLDivElement>(null);
  const [fit, setFit] = useState(1);
  const [zoom, setZoom] = useState(1);
  const bridge = useBridge();
  const save = (): void => {
    // Never a patient's name in a file name.
    saveFile(`ecg-${taskId}.pdf`, stage.bytes, 'application/pdf');
    bridge.call('report.saved', { taskId }).catch(() => undefined);
  };
  useKeys({ 'Ctrl+p': () => void printPdf(stage.pdf), 'Ctrl+s': save });
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    const measure = (): void =>
      setFit(
        Math.max(
          0.2,
          Math.min(
            (element.clientWidth - PAGE_MARGIN_PX) / stage.widthPt,
            (element.clientHeight - PAGE_MARGIN_PX) / stage.heightPt,
          ),
        ),
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [stage]);
  return (
    <>
      <div className={classes.bar}>
        <Button
          variant="default"
          h={44}
          leftSection={<Icon name="back" />}
          rightSection={<kbd>Esc</kbd>}
          onClick={onBack}
        >
          {t('report.back')}
        </Button>
        <h1>{title}</h1>
        <div className={classes.space} />
        <Button
          variant="default"
          h={44}
          aria-label={t('report.zoomOut')}
          onClick={() => setZoom((value) => value / ZOOM_STEP)}
        >
          <Icon name="minus" />
        </Button>
        <Button variant="default" h={44} onClick={() => setZoom(1)}>
          {t('report.fit')}
        </Button>
        <Button
          variant="default"
          h={44}
          aria-label={t('report.zoomIn')}
          onClick={() => setZoom((value) => value * ZOOM_STEP)}
        >
          <Icon name="plus" />
        </Button>
        <Button variant="default" h={44} leftSection={<Icon name="save" />} onClick={save}>
          {t('report.save')}
        </Button>
        <ExportMenu taskId={taskId} />
        <Button
          variant="default"
          h={44}
          leftSection={<Icon name="report" />}
          onClick={() => void printPdf(stage.pdf)}
        >
          {t('report.print')} <kbd>Ctrl P</kbd>
        </Button>
        {judge}
      </div>
      {stage.isNameMissing && (
        <p className={classes.preliminary} role="alert">
          <Icon name="warning" /> {t('sync.nameMissing')}
        </p>
      )}
      {stage.isPreliminary && (
        <p className={classes.preliminary} role="status">
          <Icon name="warning" /> {t('report.preliminary')}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <section className={classes.area} ref={area} tabIndex={0} aria-label={title}>
        {Array.from({ length: stage.pdf.numPages }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages of a document have no other identity
          <PdfPage key={index} pdf={stage.pdf} number={index + 1} scale={fit * zoom} />
        ))}
      </section>
    </>
  );
}

/** @param isCentral the report that the central service has sent, instead of ours */
export function ReportScreen({
  taskId,
  isCentral = false,
}: {
  taskId: number;
  isCentral?: boolean;
}): ReactNode {
  const { data: task } = useBridgeQuery('task.get', { taskId });
  // Another report stands there once it was approved.
  return task === undefined ? null : (
    <ReportOf key={`${task.state} ${task.revision}`} task={task} isCentral={isCentral} />
  );
}

function ReportOf({ task, isCentral }: { task: TaskDetail; isCentral: boolean }): ReactNode {
  const { taskId } = task;
  const [revision, setRevision] = useState<number>();
  const revisions = useRevisions(taskId, task.state === 'COMPLETED' && !isCentral);
  const isReplaced = revision !== undefined && revision !== revisions[0]?.revision;
  useKeys({ Escape: () => toWorklist(taskId) });
  return (
    <div className={classes.screen}>
      {isReplaced && (
        <p className={classes.preliminary} role="status">
          <Icon name="warning" /> <Replaced revisions={revisions} shown={revision} />
        </p>
      )}
      <ReportPages
        key={revision}
        taskId={taskId}
        isCentral={isCentral}
        revision={revision}
        judge={
          isCentral ? null : (
            <>
              <Revisions revisions={revisions} shown={revision} onShow={setRevision} />
              <Judge task={task} />
            </>
          )
        }
      />
    </div>
  );
}

const toWorklist = (taskId: number): void => {
  location.hash = `#/worklist/${taskId}`;
};

interface ReportPagesProps {
  readonly taskId: number;
  readonly isCentral: boolean;
  /** Undefined: the newest. */
  readonly revision: number | undefined;
  readonly judge: ReactNode;
}

function ReportPages({ taskId, isCentral, revision, judge }: ReportPagesProps): ReactNode {
  const { t } = useTranslation();
  const stage = useReport(taskId, isCentral, revision);
  if (stage.kind === 'open')
    return (
      <OpenReport
        stage={stage}
        taskId={taskId}
        title={t(isCentral ? 'sync.reportTitle' : 'report.title')}
        judge={judge}
        onBack={() => toWorklist(taskId)}
      />
    );
  return (
    <div className="notice">
      {stage.kind === 'loading' && <p role="status">{t('report.loading')}</p>}
      {stage.kind === 'mismatch' && <p role="alert">{t('report.mismatch')}</p>}
      {stage.kind === 'failed' && <p role="alert">{stage.sentence}</p>}
      <Button variant="default" h={44} leftSection={<Icon name="back" />} onClick={() => toWorklist(taskId)}>
        {t('report.back')}
      </Button>
    </div>
  );
}
