// Makes an archive (PACS) or a hospital information system (HL7) known: where it is, and what it is called. What we are called
// stands beside it, because whoever runs it asks for that.

import { Button, Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { OWN_ORGANIZATION } from './connect-form.tsx';
import { FormText } from './form-text.tsx';
import classes from './sync.module.css';

const USUAL_PORT = { archive: '104', results: '2575' } as const;

interface HospitalFormProps {
  readonly kind: 'archive' | 'results';
  onAdded(): void;
}

export function HospitalForm({ kind, onAdded }: HospitalFormProps): ReactNode {
  const { t } = useTranslation();
  const archive = useCommand('archive.add');
  const results = useCommand('results.add');
  const queries = useQueryClient();
  const { data } = useBridgeQuery('setting.list', {});
  const [host, setHost] = useState('');
  const [port, setPort] = useState<string>(USUAL_PORT[kind]);
  const [name, setName] = useState('');
  const [facility, setFacility] = useState('');
  const [label, setLabel] = useState('');
  const [isTls, setTls] = useState(false);
  const { isRunning, trouble } = kind === 'archive' ? archive : results;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const at = { label, host: host.trim(), port: Number(port), isTls, organization: OWN_ORGANIZATION };
    const added = await (kind === 'archive'
      ? archive.run({ ...at, title: name.trim() })
      : results.run({ ...at, application: name.trim(), facility: facility.trim() }));
    if (added === undefined) return;
    await queries.invalidateQueries({ queryKey: ['sync.overview'] });
    onAdded();
  };
  const words = `sync.${kind}Form`;
  const ours = data?.values ?? {};
  return (
    <form className={classes.connect} onSubmit={(event) => void submit(event)}>
      <p>
        {t(`${words}.ours`, {
          title: ours['dicom.title'] ?? '',
          port: ours['dicom.port'] ?? '',
          application: ours['hl7.application'] ?? '',
        })}
      </p>
      <FormText isRequired label={t(`${words}.host`)} value={host} most={253} onType={setHost} />
      <FormText isRequired isNumber label={t(`${words}.port`)} value={port} most={5} onType={setPort} />
      <FormText
        isRequired={kind === 'archive'}
        label={t(`${words}.name`)}
        value={name}
        most={kind === 'archive' ? 16 : 64}
        onType={setName}
      />
      {kind === 'results' && (
        <FormText label={t(`${words}.facility`)} value={facility} most={64} onType={setFacility} />
      )}
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
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      <Button type="submit" h={48} loading={isRunning}>
        {t(`${words}.connect`)}
      </Button>
    </form>
  );
}
