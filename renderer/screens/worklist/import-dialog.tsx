// Import of files: choose or drop, decide on automatic approval, watch it happen, read what became of each.

import { Button, FileButton, Modal, Progress, Switch } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportOutcome, ImportProgress, ImportSource } from '../../../shared/bridge/import-files.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { plainText } from '../../../shared/patient-text.ts';
import { useImportRun } from '../../entry/import-run.tsx';
import { Icon } from '../../parts/icon.tsx';
import { loadPart } from '../../parts/load-part.ts';
import { sizeText } from '../../parts/size-text.ts';
import { errorText } from '../../text/text.ts';
import classes from './import-dialog.module.css';
import { sourceOf } from './import-sources.ts';

const ImportChannels = lazy(() =>
  loadPart(async () => ({ default: (await import('../channels/import-channels.tsx')).ImportChannels })),
);

function FileList({
  files,
  onRemove,
}: {
  files: readonly ImportSource[];
  onRemove: (file: ImportSource) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <ul className={classes.files}>
      {files.map((file) => (
        <li key={file.name}>
          <span>{plainText(file.name)}</span>
          <span className="quiet">{sizeText(file.sizeBytes)}</span>
          <button
            type="button"
            aria-label={t('import.remove', { name: file.name })}
            onClick={() => onRemove(file)}
          >
            <Icon name="cross" />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface OutcomeProps {
  readonly outcome: ImportOutcome;
  onAsk(name: string): void;
}

function Outcome({ outcome, onAsk }: OutcomeProps): ReactNode {
  const { t } = useTranslation();
  const read = outcome.records.filter((record) => record.taskId !== undefined).length;
  return (
    <div role="status">
      {outcome.records.length > 1 && <p>{t('import.summary', { read, total: outcome.records.length })}</p>}
      <ul className={classes.outcomes}>
        {outcome.records.map((record) => {
          const isRead = record.taskId !== undefined;
          const isAsked = !isRead && record.isAsked === true && outcome.importId !== undefined;
          const question = record.reason === 'rate_not_stated' ? 'askedForRate' : 'asked';
          const key = isRead ? (record.isKnown ? 'known' : 'done') : isAsked ? question : 'failed';
          return (
            <li key={record.name} className={isRead ? classes.read : classes.refused}>
              <Icon name={isRead ? 'check' : 'cross'} />
              <span>
                {t(`import.${key}`, {
                  name: plainText(record.name),
                  id: record.taskId,
                  message: record.message,
                })}
                {isAsked && (
                  <Button variant="default" h={44} mt={6} onClick={() => onAsk(record.name)}>
                    {t('import.chooseChannels')}
                  </Button>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {outcome.ignored.length > 0 && (
        <p className="quiet">{t('import.ignored', { names: outcome.ignored.map(plainText).join(', ') })}</p>
      )}
    </div>
  );
}

function Running({ progress }: { progress: ImportProgress | undefined }): ReactNode {
  const { t } = useTranslation();
  const percent = progress?.percent ?? 0;
  const text =
    progress === undefined || percent === 100
      ? t('import.reading')
      : t('import.progress', { percent, name: plainText(progress.name) });
  return (
    <div className={classes.running}>
      <Progress value={percent} size="lg" color="var(--accent)" aria-label={text} />
      <p role="status">{text}</p>
    </div>
  );
}

/** Later choices add to earlier ones; a file of the same name takes the place of the first. */
const merged = (before: readonly ImportSource[], more: readonly ImportSource[]): ImportSource[] => [
  ...before.filter((file) => !more.some((other) => other.name === file.name)),
  ...more,
];

export function ImportDialog({
  initialFiles,
  onClose,
  onImported,
}: {
  initialFiles: readonly ImportSource[];
  onClose: () => void;
  onImported: (taskId: number) => void;
}): ReactNode {
  const { t } = useTranslation();
  const {
    stage,
    files,
    isAutomatic,
    begin: beginAnew,
    choose,
    setAutomatic,
    start,
    settle,
    close,
  } = useImportRun();
  const [asked, setAsked] = useState<string>();
  const isFresh = useRef(stage.kind === 'choosing');
  useEffect(() => {
    // What runs already, or has ended meanwhile, is shown as it is.
    if (isFresh.current) beginAnew(initialFiles);
    isFresh.current = false;
  }, [beginAnew, initialFiles]);

  const begin = async (): Promise<void> => {
    const first = (await start())?.records.find((record) => record.taskId !== undefined)?.taskId;
    if (first !== undefined) onImported(first);
  };
  const cancel = (): void => {
    close();
    onClose();
  };
  const isOver = stage.kind === 'done' || stage.kind === 'failed';

  return (
    <Modal
      classNames={{ title: classes.title ?? '' }}
      opened
      onClose={cancel}
      title={t('import.title')}
      size="lg"
      centered
      closeButtonProps={{ 'aria-label': t('import.close'), size: 44 }}
      closeOnClickOutside={false}
      // With a question above it, Escape answers that one alone.
      closeOnEscape={asked === undefined}
    >
      {stage.kind === 'choosing' && (
        <>
          <p className={classes.lead}>{t('import.lead')}</p>
          <FileButton
            multiple
            onChange={(chosen) => choose(merged(files, chosen.map(sourceOf)))}
            inputProps={{ 'aria-label': t('import.choose') }}
          >
            {(props) => (
              <Button {...props} variant="default" h={44} leftSection={<Icon name="plus" />}>
                {t('import.choose')}
              </Button>
            )}
          </FileButton>
          <FileList files={files} onRemove={(file) => choose(files.filter((other) => other !== file))} />
          <Switch
            size="md"
            label={t('import.autoComplete')}
            description={t('import.autoCompleteText')}
            checked={isAutomatic}
            onChange={(event) => setAutomatic(event.currentTarget.checked)}
          />
        </>
      )}
      {stage.kind === 'running' && <Running progress={stage.progress} />}
      {stage.kind === 'done' && <Outcome outcome={stage.outcome} onAsk={setAsked} />}
      {stage.kind === 'done' && asked !== undefined && stage.outcome.importId !== undefined && (
        <Suspense>
          <ImportChannels
            importId={stage.outcome.importId}
            name={asked}
            isAutomatic={isAutomatic}
            onImported={(record) => {
              settle(record);
              setAsked(undefined);
              if (record.taskId !== undefined) onImported(record.taskId);
            }}
            onClose={() => setAsked(undefined)}
          />
        </Suspense>
      )}
      {stage.kind === 'failed' && (
        <p role="alert" className={classes.refused}>
          {stage.error instanceof IsolineError ? errorText(stage.error) : t('error.internal')}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="default" h={56} onClick={cancel}>
          {isOver ? t('import.close') : t('import.cancel')}
        </Button>
        {stage.kind === 'choosing' && (
          <Button h={56} disabled={files.length === 0} onClick={() => void begin()}>
            {t('import.start', { count: files.length })}
          </Button>
        )}
      </div>
    </Modal>
  );
}
