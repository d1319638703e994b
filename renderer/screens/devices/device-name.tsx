// What the clinic calls a device, and where it is changed.

import { Button, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DeskDevice, MOST_DEVICE_NAME } from '../../../shared/bridge/views.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { SimulatedTag } from '../../parts/simulated-tag.tsx';
import classes from './device-panel.module.css';

/** @param onEnd the name is as wanted, or is left as it was */
function Rename({ device, onEnd }: { device: DeskDevice; onEnd: () => void }): ReactNode {
  const { t } = useTranslation();
  const rename = useCommand('desk.rename');
  const [name, setName] = useState(device.ownName ?? '');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if ((await rename.run({ id: device.id, name })) !== undefined) onEnd();
  };
  return (
    <form className={classes.rename} onSubmit={(event) => void submit(event)}>
      <TextInput
        size="md"
        label={t('devices.ownName')}
        description={t('devices.ownNameText')}
        placeholder={device.name}
        value={name}
        maxLength={MOST_DEVICE_NAME}
        error={rename.trouble}
        autoFocus
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onEnd();
        }}
      />
      <Button type="submit" h={44}>
        {t('devices.saveName')}
      </Button>
      <Button h={44} variant="default" onClick={onEnd}>
        {t('devices.cancel')}
      </Button>
    </form>
  );
}

/** @param isDesk at the workstation itself, where devices are named */
export function DeviceName({
  device,
  isDesk,
  facts,
}: {
  device: DeskDevice;
  isDesk: boolean;
  /** What is said under the name. */
  facts: string;
}): ReactNode {
  const { t } = useTranslation();
  const [isRenaming, setRenaming] = useState(false);
  if (isRenaming) return <Rename device={device} onEnd={() => setRenaming(false)} />;
  return (
    <>
      <div>
        <b>
          {device.name} {device.isSimulated && <SimulatedTag />}
        </b>
        <small>{facts}</small>
      </div>
      {isDesk && (
        <Button className={classes.renameButton} h={44} variant="subtle" onClick={() => setRenaming(true)}>
          {t('devices.rename')}
        </Button>
      )}
    </>
  );
}
