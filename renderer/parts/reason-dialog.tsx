// Asks why, before something that cannot be undone. Cancel has the focus; Enter does not confirm (screens,
// 1.8).

import { Button, Modal, Textarea } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../bridge/use-bridge.tsx';
import { useCommand } from '../bridge/use-command.ts';
import classes from './reason-dialog.module.css';
import { SecretInput } from './secret-input.tsx';
import { subjectOf, WhoseRecording } from './whose-recording.tsx';

interface ReasonDialogProps {
  readonly command: 'task.delete' | 'task.reject' | 'patient.hold';
  readonly taskId: number;
  /** What `patient.hold` sets. */
  readonly isHeld?: boolean;
  readonly title: string;
  readonly text: string;
  /** What the button does. */
  readonly action: string;
  /** What is often the reason. */
  readonly reasons: readonly string[];
  /** @param isDone whether it was done */
  onClose(isDone: boolean): void;
}

export function ReasonDialog({
  command,
  taskId,
  isHeld = true,
  title,
  text,
  action,
  reasons,
  onClose,
}: ReasonDialogProps): ReactNode {
  const { t } = useTranslation();
  const remove = useCommand('task.delete');
  const reject = useCommand('task.reject');
  const hold = useCommand('patient.hold');
  const [reason, setReason] = useState('');
  const [secret, setSecret] = useState('');
  const listId = useId();
  // Whom it is about is looked up by its number: what stands on the screen behind may be somebody else's by now.
  const { data: row } = useBridgeQuery('task.get', { taskId });
  const shown = row?.taskId === taskId ? row : undefined;
  const isReject = command === 'task.reject';
  const { isRunning, trouble } = { 'task.delete': remove, 'task.reject': reject, 'patient.hold': hold }[
    command
  ];
  const run = async (): Promise<void> => {
    if (shown === undefined) return;
    const of = subjectOf(shown);
    const done = await (isReject
      ? reject.run({ taskId, reason, secret, of })
      : command === 'patient.hold'
        ? hold.run({ taskId, isHeld, reason, of })
        : remove.run({ taskId, reason, of }));
    if (done !== undefined) onClose(true);
  };
  return (
    <Modal opened onClose={() => onClose(false)} title={title} centered size="md">
      <p className={classes.whose} data-testid="whose">
        {shown === undefined ? '…' : <WhoseRecording row={shown} />}
      </p>
      <p className={classes.text}>{text}</p>
      <div className={classes.reasons} id={listId}>
        {reasons.map((each) => (
          <Button
            key={each}
            variant={each === reason ? 'filled' : 'default'}
            h={44}
            onClick={() => setReason(each)}
          >
            {each}
          </Button>
        ))}
      </div>
      <Textarea
        label={t('reason.label')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        minRows={2}
        maxLength={1000}
        aria-describedby={listId}
      />
      {isReject && <SecretInput mt={12} label={t('reason.pin')} value={secret} onType={setSecret} />}
      {trouble !== undefined && (
        <p role="alert" className={classes.trouble}>
          {trouble}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="default" h={48} data-autofocus onClick={() => onClose(false)}>
          {t('reason.cancel')}
        </Button>
        <Button
          h={48}
          variant={command === 'patient.hold' ? 'filled' : 'destroy'}
          loading={isRunning}
          disabled={shown === undefined}
          onClick={() => void run()}
        >
          {action}
        </Button>
      </div>
    </Modal>
  );
}
