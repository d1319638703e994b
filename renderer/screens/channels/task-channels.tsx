// The channels of a recording that is stored: whoever chooses sees whose it is, and it is analysed again.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { subjectOf, WhoseRecording } from '../../parts/whose-recording.tsx';
import { errorText } from '../../text/text.ts';
import { ChannelsDialog } from './channels-dialog.tsx';
import { ChannelsTrouble } from './channels-trouble.tsx';

export function TaskChannels({ taskId, onClose }: { taskId: number; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { data: row } = useBridgeQuery('task.get', { taskId });
  const { data: file, error } = useBridgeQuery('channels.of', { taskId });
  const { run, isRunning, trouble } = useCommand('channels.choose');
  const shown = row?.taskId === taskId ? row : undefined;
  if (error !== null) return <ChannelsTrouble sentence={errorText(error)} onClose={onClose} />;
  if (shown === undefined || file === undefined) return null;
  return (
    <ChannelsDialog
      title={<WhoseRecording row={shown} />}
      file={file}
      choice={file.choice}
      sameCount={file.sameCount}
      isCorrected={file.isCorrected}
      cancel={t('reason.cancel')}
      isRunning={isRunning}
      trouble={trouble}
      onUse={(choice, isForSame) =>
        void run({ taskId, choice: [...choice], isForSame, of: subjectOf(shown) }).then((done) => {
          if (done !== undefined) onClose();
        })
      }
      onClose={onClose}
    />
  );
}
