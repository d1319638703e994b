// Devices that are not plugged in: paired by Bluetooth here, or streamed by another program through the network.

import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BLUETOOTH_PIPES, type BluetoothPipe } from '../../../shared/bluetooth-pipes.ts';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { PairFailure, pairDevice } from '../../bluetooth/paired-devices.ts';
import { useBridge, useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { Icon } from '../../parts/icon.tsx';
import { errorText } from '../../text/text.ts';
import classes from './wireless.module.css';

interface PartProps {
  onConnected(id: string): void;
}

/** What BrainFlow's own examples use. */
const BRAINFLOW_ADDRESS = '225.1.1.1:6677';

function Trouble({ text }: { text: string | undefined }): ReactNode {
  return text === undefined ? null : (
    <p role="alert" className={classes.bad}>
      <Icon name="warning" size={18} /> {text}
    </p>
  );
}

function Bluetooth({ onConnected }: PartProps): ReactNode {
  const { t } = useTranslation();
  const bridge = useBridge();
  const [isPairing, setPairing] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const pair = async (kind: BluetoothPipe): Promise<void> => {
    setTrouble(undefined);
    setPairing(true);
    try {
      const id = await pairDevice(kind, bridge);
      if (id !== undefined) onConnected(id);
    } catch (error) {
      if (error instanceof PairFailure) setTrouble(t(`wireless.bluetooth.${error.trouble}`));
      else if (error instanceof IsolineError) setTrouble(errorText(error));
      else throw error;
    } finally {
      setPairing(false);
    }
  };
  return (
    <section className={classes.part} aria-label={t('wireless.bluetooth.title')}>
      <div>
        <h3>{t('wireless.bluetooth.title')}</h3>
        <p>{t('wireless.bluetooth.text')}</p>
      </div>
      {BLUETOOTH_PIPES.map((kind) => (
        <Button key={kind.driver} h={44} loading={isPairing} onClick={() => void pair(kind)}>
          {t('wireless.bluetooth.pair', { name: kind.name })}
        </Button>
      ))}
      <Trouble text={trouble} />
    </section>
  );
}

type Stream = CallOutput<'desk.streams'>['streams'][number];

function StreamRow({ stream, onConnected }: PartProps & { stream: Stream }): ReactNode {
  const { t } = useTranslation();
  const connect = useCommand('desk.connect');
  const { name, type, channels, rateHz, hostname, address, port } = stream;
  const choose = async (): Promise<void> => {
    const connected = await connect.run({ port });
    if (connected !== undefined) onConnected(connected.id);
  };
  return (
    <li className={classes.stream}>
      <span>
        <b>{name}</b>
        <small>
          {[
            type,
            t('wireless.lsl.channels', { count: channels }),
            rateHz > 0 ? t('devices.rate', { rate: rateHz }) : t('wireless.lsl.noRate'),
            hostname || address,
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </small>
      </span>
      <Button
        h={44}
        variant="default"
        loading={connect.isRunning}
        aria-label={t('wireless.lsl.connect', { name })}
        onClick={() => void choose()}
      >
        {t('devices.connect')}
      </Button>
      <Trouble text={connect.trouble} />
    </li>
  );
}

function Streams({ onConnected }: PartProps): ReactNode {
  const { t } = useTranslation();
  const search = useCommand('desk.streams');
  const [host, setHost] = useState('');
  const [found, setFound] = useState<readonly Stream[]>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const answer = await search.run(host.trim() === '' ? {} : { host: host.trim() });
    if (answer !== undefined) setFound(answer.streams);
  };
  return (
    <section className={classes.part} aria-label={t('wireless.lsl.title')}>
      <div>
        <h3>{t('wireless.lsl.title')}</h3>
        <p>{t('wireless.lsl.text')}</p>
      </div>
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        <TextInput
          label={t('wireless.lsl.host')}
          placeholder={t('wireless.lsl.everywhere')}
          value={host}
          maxLength={253}
          onChange={(event) => setHost(event.currentTarget.value)}
          classNames={{ input: classes.input ?? '' }}
        />
        <Button
          type="submit"
          h={44}
          variant="default"
          loading={search.isRunning}
          leftSection={<Icon name="search" />}
        >
          {t('wireless.lsl.search')}
        </Button>
      </form>
      <div aria-live="polite">
        {found?.length === 0 && <p>{t('wireless.lsl.none')}</p>}
        {found !== undefined && found.length > 0 && (
          <ul className={classes.streams}>
            {found.map((stream) => (
              <StreamRow key={`${stream.port} ${stream.address}`} stream={stream} onConnected={onConnected} />
            ))}
          </ul>
        )}
      </div>
      <Trouble text={search.trouble} />
    </section>
  );
}

function BrainFlow({ onConnected }: PartProps): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('desk.drivers', {});
  const connect = useCommand('desk.connect');
  const [board, setBoard] = useState('');
  const [address, setAddress] = useState(BRAINFLOW_ADDRESS);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const variant = board || data?.brainFlowBoards[0]?.id;
    if (variant === undefined) return;
    const connected = await connect.run({ port: `brainflow:${address.trim()}`, variant });
    if (connected !== undefined) onConnected(connected.id);
  };
  return (
    <section className={classes.part} aria-label={t('wireless.brainFlow.title')}>
      <div>
        <h3>{t('wireless.brainFlow.title')}</h3>
        <p>{t('wireless.brainFlow.text')}</p>
      </div>
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        <NativeSelect
          label={t('wireless.brainFlow.board')}
          value={board}
          data={(data?.brainFlowBoards ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => setBoard(event.currentTarget.value)}
          classNames={{ input: classes.input ?? '' }}
        />
        <TextInput
          label={t('wireless.brainFlow.address')}
          value={address}
          maxLength={40}
          onChange={(event) => setAddress(event.currentTarget.value)}
          classNames={{ input: classes.input ?? '' }}
        />
        <Button type="submit" h={44} variant="default" loading={connect.isRunning}>
          {t('devices.connect')}
        </Button>
      </form>
      <Trouble text={connect.trouble} />
    </section>
  );
}

/** @param isDesk at the workstation itself: a seat only brings what is paired there */
export function WirelessDialog({
  isDesk,
  onConnected,
  onClose,
}: PartProps & { isDesk: boolean; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('wireless.title')}
      size={760}
      classNames={{ title: classes.title ?? '' }}
      centered
      closeButtonProps={{ 'aria-label': t('reason.cancel'), size: 44 }}
    >
      <Bluetooth onConnected={onConnected} />
      {isDesk && (
        <>
          <Streams onConnected={onConnected} />
          <BrainFlow onConnected={onConnected} />
        </>
      )}
    </Modal>
  );
}
