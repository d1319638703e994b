// The report of a task as its PDF. The name inside the PDF must be that of the patient in the banner, else it
// is not shown (E4).

import { Button } from '@mantine/core';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import { isNamedOn } from '../../../shared/patient-text.ts';
import { useBridge, useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { errorText } from '../../text/text.ts';
import { GainChoice, usePaperGain } from './gain-choice.tsx';
import { Judge } from './judge.tsx';
import { type LoadedReport, OpenReport } from './open-report.tsx';
import { firstPageText, openPdf } from './pdf-document.ts';
import classes from './report.module.css';
import { Replaced, Revisions, useRevisions } from './revisions.tsx';

type Stage =
  | { readonly kind: 'loading' }
  | { readonly kind: 'open'; readonly report: LoadedReport }
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
      const isPreliminary = report.approval === 'preliminary';
      setStage({ kind: 'open', report: { pdf, bytes, isPreliminary, isNameMissing, widthPt, heightPt } });
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
  const gain = usePaperGain(task);
  const isReplaced = revision !== undefined && revision !== revisions[0]?.revision;
  useCommands('report', { back: () => toWorklist(taskId) });
  return (
    <div className={classes.screen}>
      {isReplaced && (
        <p className={classes.preliminary} role="status">
          <Icon name="warning" /> <Replaced revisions={revisions} shown={revision} />
        </p>
      )}
      <ReportPages
        // Drawn higher or lower, it is another file.
        key={`${revision ?? ''} ${gain}`}
        taskId={taskId}
        isCentral={isCentral}
        revision={revision}
        judge={
          isCentral ? null : (
            <>
              <Revisions revisions={revisions} shown={revision} onShow={setRevision} />
              <GainChoice task={task} />
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
        report={stage.report}
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
