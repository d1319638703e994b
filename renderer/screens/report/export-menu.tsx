// The recording behind a report, as a file for another program.

import { Button, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EXPORT_FORMATS, type ExportFormat } from '../../../shared/export-formats.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { Icon } from '../../parts/icon.tsx';
import { saveFile } from '../../parts/save-file.ts';
import classes from './report.module.css';

export function ExportMenu({ taskId }: { taskId: number }): ReactNode {
  const { t } = useTranslation();
  const { run, isRunning, trouble } = useCommand('recording.export');
  const save = async (format: ExportFormat): Promise<void> => {
    const file = await run({ taskId, format });
    if (file !== undefined) saveFile(file.name, Uint8Array.from(file.bytes), 'application/octet-stream');
  };
  return (
    <>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Button
            variant="default"
            h={44}
            loading={isRunning}
            leftSection={<Icon name="save" />}
            rightSection={<Icon name="down" size={16} />}
          >
            {t('report.export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('report.exportText')}</Menu.Label>
          {EXPORT_FORMATS.map((format) => (
            <Menu.Item key={format} onClick={() => void save(format)}>
              {t(`report.exports.${format}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {trouble !== undefined && (
        <span className={classes.exportTrouble} role="alert">
          {trouble}
        </span>
      )}
    </>
  );
}
