// The channels of a file that is being imported and that the program takes for no ECG: a person may know better.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportedRecord } from '../../../shared/bridge/views.ts';
import { plainText } from '../../../shared/patient-text.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { duration, recordedTime } from '../../parts/format-time.ts';
import { errorText } from '../../text/text.ts';
import { ChannelsDialog } from './channels-dialog.tsx';
import { ChannelsTrouble } from './channels-trouble.tsx';
import { type FileChannels, isUntimed } from './chosen-channels.ts';

const factsOf = (file: FileChannels): string[] => [
  ...(file.startMs === undefined ? [] : [recordedTime(file.startMs, false, undefined)]),
  ...(isUntimed(file) ? [] : [duration(1000 * file.durationSeconds)]),
];

export interface ImportChannelsProps {
  readonly importId: string;
  readonly name: string;
  readonly isAutomatic: boolean;
  onImported(record: ImportedRecord): void;
  onClose(): void;
}

export function ImportChannels(props: ImportChannelsProps): ReactNode {
  const { importId, name, isAutomatic, onImported, onClose } = props;
  const { t } = useTranslation();
  const { data: file, error } = useBridgeQuery('channels.ofImport', { importId, name });
  const { run, isRunning, trouble } = useCommand('channels.import');
  if (error !== null) return <ChannelsTrouble sentence={errorText(error)} onClose={onClose} />;
  if (file === undefined) return null;
  return (
    <ChannelsDialog
      title={
        <>
          <b>{plainText(name)}</b> {factsOf(file).join(' · ')}
        </>
      }
      file={file}
      sameCount={0}
      cancel={t('import.doNotImport')}
      isRunning={isRunning}
      trouble={trouble}
      onUse={(choice, isForSame) =>
        void run({ importId, name, choice: [...choice], isForSame, autoComplete: isAutomatic }).then(
          (record) => {
            if (record !== undefined) onImported(record);
          },
        )
      }
      onClose={onClose}
    />
  );
}
