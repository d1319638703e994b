// Why the channels cannot be shown, with a way back.

import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export function ChannelsTrouble({ sentence, onClose }: { sentence: string; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={t('channels.title')} centered withCloseButton={false}>
      <p role="alert">{sentence}</p>
      <Button h={48} data-autofocus onClick={onClose}>
        {t('import.close')}
      </Button>
    </Modal>
  );
}
