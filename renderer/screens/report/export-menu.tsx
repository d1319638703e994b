// A report, the recording behind it, or what was found in it, as a file.

import { Button, Menu } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ExportFormat, FINDING_FORMATS, SIGNAL_FORMATS } from '../../../shared/export-formats.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { warningSentences } from '../../parts/warning-words.ts';
import classes from './report.module.css';

interface ExportMenuProps {
  readonly taskId: number;
  /** Only then there is a result that a practice system may take. */
  readonly isApproved: boolean;
  /** Saves the report itself. */
  onSave(): void;
}

export function ExportMenu({ taskId, isApproved, onSave }: ExportMenuProps): ReactNode {
  const { t } = useTranslation();
  const { run, isRunning, trouble } = useCommand('recording.export');
  const [changed, setChanged] = useState<readonly string[]>([]);
  const save = async (format: ExportFormat): Promise<void> => {
    setChanged([]);
    const file = await run({ taskId, format });
    if (file === undefined) return;
    saveFile(file.name, Uint8Array.from(file.bytes), 'application/octet-stream');
    setChanged(warningSentences(file.warnings));
  };
  const item = (format: ExportFormat): ReactNode => (
    <Menu.Item key={format} disabled={format === 'gdt' && !isApproved} onClick={() => void save(format)}>
      {t(`report.exports.${format}`)}
    </Menu.Item>
  );
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
          <Menu.Item rightSection={<Key of="report.save" />} onClick={onSave}>
            {t('report.save')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>{t('report.exportText')}</Menu.Label>
          {SIGNAL_FORMATS.map(item)}
          <Menu.Divider />
          <Menu.Label>{t('report.exportFindings')}</Menu.Label>
          {FINDING_FORMATS.map(item)}
        </Menu.Dropdown>
      </Menu>
      {changed.length > 0 && (
        <span className={classes.exportNote} role="status">
          {changed.join(' ')}
        </span>
      )}
      {trouble !== undefined && (
        <span className={classes.exportTrouble} role="alert">
          {trouble}
        </span>
      )}
    </>
  );
}
