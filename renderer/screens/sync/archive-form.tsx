// Makes an archive (PACS) known: where it is, and what it is called. What we are called stands beside it, because whoever runs
// the archive asks for that.

import { Button, Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { OWN_ORGANIZATION } from './connect-form.tsx';
import { FormText } from './form-text.tsx';
import classes from './sync.module.css';

const USUAL_PORT = '104';

export function ArchiveForm({ onAdded }: { onAdded?: () => void }): ReactNode {
  const { t } = useTranslation();
  const add = useCommand('archive.add');
  const queries = useQueryClient();
  const { data } = useBridgeQuery('setting.list', {});
  const [host, setHost] = useState('');
  const [port, setPort] = useState(USUAL_PORT);
  const [title, setTitle] = useState('');
  const [label, setLabel] = useState('');
  const [isTls, setTls] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const added = await add.run({
      label,
      host: host.trim(),
      port: Number(port),
      title: title.trim(),
      isTls,
      organization: OWN_ORGANIZATION,
    });
    if (added === undefined) return;
    await queries.invalidateQueries({ queryKey: ['sync.overview'] });
    onAdded?.();
  };
  return (
    <form className={classes.connect} onSubmit={(event) => void submit(event)}>
      <p>
        {t('sync.archiveForm.ours', {
          title: data?.values['dicom.title'] ?? '',
          port: data?.values['dicom.port'] ?? '',
        })}
      </p>
      <FormText isRequired label={t('sync.archiveForm.host')} value={host} most={253} onType={setHost} />
      <FormText
        isRequired
        isNumber
        label={t('sync.archiveForm.port')}
        value={port}
        most={5}
        onType={setPort}
      />
      <FormText isRequired label={t('sync.archiveForm.title')} value={title} most={16} onType={setTitle} />
      <Checkbox
        size="md"
        label={t('sync.archiveForm.tls')}
        checked={isTls}
        onChange={(event) => setTls(event.currentTarget.checked)}
      />
      <FormText
        label={t('sync.form.label')}
        hint={t('sync.form.labelHint')}
        value={label}
        most={100}
        onType={setLabel}
      />
      {add.trouble !== undefined && <p role="alert">{add.trouble}</p>}
      <Button type="submit" h={48} loading={add.isRunning}>
        {t('sync.archiveForm.connect')}
      </Button>
    </form>
  );
}
