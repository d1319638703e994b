// Seats: other computers and tablets of the clinic. Whether they may come in, who is where, and how one is added.

import { Button, Modal, Select, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { CrowdedDoor } from '../../parts/crowded-door.tsx';
import { clockTime, dayOf } from '../../parts/format-time.ts';
import { QrCode } from '../../parts/qr-code.tsx';
import { useNow } from '../../parts/use-now.ts';
import { ChoiceGroup } from './choice-group.tsx';
import classes from './settings.module.css';
import { SHOWN_SETTINGS } from './shown-settings.ts';

type SeatList = CallOutput<'seat.list'>;
type Seat = SeatList['seats'][number];

const QR_PX = 264;

interface InvitationProps extends Pick<SeatList, 'urls' | 'fingerprint'> {
  readonly name: string;
  readonly code: string;
  readonly untilMs: number;
  /** The seat is there. */
  readonly isTaken: boolean;
  onClose(): void;
}

function Invitation({
  name,
  code,
  untilMs,
  isTaken,
  urls,
  fingerprint = '',
  onClose,
}: InvitationProps): ReactNode {
  const { t } = useTranslation();
  const [url, setUrl] = useState(urls[0] ?? '');
  const isOver = useNow(1000) >= untilMs;
  const link = `${url}/#key=${code}&fingerprint=${fingerprint.replaceAll(':', '')}`;
  return (
    <Modal opened onClose={onClose} title={t('seats.addTitle', { name })} size="lg" centered>
      {isTaken || isOver ? (
        <div className={classes.fields} role="status">
          <p>{t(isTaken ? 'seats.isThere' : 'seats.isOver')}</p>
          <Button h={48} onClick={onClose}>
            {t('seats.close')}
          </Button>
        </div>
      ) : (
        <div className={classes.invitation}>
          <QrCode text={link} label={t('seats.code')} sizePx={QR_PX} />
          <div>
            <ol>
              <li>{t('seats.scan')}</li>
              <li>
                {t('seats.compare')}
                <code className={classes.token}>{fingerprint}</code>
              </li>
              <li>{t('seats.signIn')}</li>
            </ol>
            {urls.length > 1 && (
              <Select
                label={t('seats.address')}
                description={t('seats.addressHint')}
                value={url}
                allowDeselect={false}
                data={[...urls]}
                onChange={(value) => setUrl(value ?? url)}
              />
            )}
            <Button h={44} variant="default" onClick={() => void navigator.clipboard.writeText(link)}>
              {t('seats.copyLink')}
            </Button>
            <p className="quiet">{t('seats.validUntil', { time: clockTime(untilMs).clock.slice(0, 5) })}</p>
          </div>
        </div>
      )}
    </Modal>
  );
}

function AddSeat({ list }: { list: SeatList }): ReactNode {
  const { t } = useTranslation();
  const invite = useCommand('seat.invite');
  const [name, setName] = useState('');
  const [made, setMade] = useState<
    Pick<InvitationProps, 'name' | 'code' | 'untilMs'> & { readonly known: readonly number[] }
  >();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const invitation = await invite.run({ name });
    if (invitation === undefined) return;
    setMade({ ...invitation, name: name.trim(), known: list.seats.map(({ seatId }) => seatId) });
    setName('');
  };
  return (
    <>
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        <h3>{t('seats.add')}</h3>
        <TextInput
          size="md"
          required
          label={t('seats.name')}
          description={t('seats.nameHint')}
          value={name}
          maxLength={64}
          error={invite.trouble}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" h={48} loading={invite.isRunning}>
          {t('seats.showCode')}
        </Button>
      </form>
      {made !== undefined && (
        <Invitation
          {...made}
          urls={list.urls}
          {...(list.fingerprint !== undefined && { fingerprint: list.fingerprint })}
          isTaken={list.seats.some((seat) => seat.name === made.name && !made.known.includes(seat.seatId))}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}

function RenameSeat({ seat, onClose }: { seat: Seat; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const rename = useCommand('seat.rename');
  const [name, setName] = useState(seat.name);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if ((await rename.run({ seatId: seat.seatId, name })) !== undefined) onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('seats.rename')} centered>
      <form className={classes.fields} onSubmit={(event) => void submit(event)}>
        <TextInput
          size="md"
          data-autofocus
          label={t('seats.name')}
          value={name}
          maxLength={64}
          error={rename.trouble}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" h={48} loading={rename.isRunning}>
          {t('seats.save')}
        </Button>
      </form>
    </Modal>
  );
}

function SeatRow({ seat }: { seat: Seat }): ReactNode {
  const { t } = useTranslation();
  const remove = useCommand('seat.remove');
  const [isRenaming, setRenaming] = useState(false);
  const [isSure, setSure] = useState(false);
  const facts = [
    seat.isOpen
      ? seat.person === undefined
        ? t('seats.openLocked')
        : t('seats.openBy', { name: seat.person.name })
      : seat.seenMs === undefined
        ? t('seats.neverSeen')
        : t('seats.lastSeen', { day: dayOf(seat.seenMs) }),
    t('seats.since', { day: dayOf(seat.madeMs) }),
  ];
  return (
    <li>
      <b>{seat.name}</b>
      <span className="quiet">{facts.join(' · ')}</span>
      <Button h={44} variant="default" onClick={() => setRenaming(true)}>
        {t('seats.rename')}
      </Button>
      <Button
        h={44}
        variant={isSure ? 'filled' : 'default'}
        {...(isSure && { color: 'red' })}
        onClick={() => (isSure ? void remove.run({ seatId: seat.seatId }) : setSure(true))}
        onBlur={() => setSure(false)}
      >
        {t(isSure ? 'seats.removeSure' : 'seats.remove')}
      </Button>
      {remove.trouble !== undefined && <p role="alert">{remove.trouble}</p>}
      {isRenaming && <RenameSeat seat={seat} onClose={() => setRenaming(false)} />}
    </li>
  );
}

function Trouble({ list }: { list: SeatList }): ReactNode {
  const { t } = useTranslation();
  if (!list.isOn || list.trouble === undefined) return null;
  return (
    <p role="alert" className={classes.note}>
      {t(`seats.trouble.${list.trouble}`)}
    </p>
  );
}

export function SeatsGroup(): ReactNode {
  const { t } = useTranslation();
  const { may, person } = useSession();
  const { data: list } = useBridgeQuery('seat.list', {}, { isEnabled: may('settings') });
  return (
    <>
      {list !== undefined && <Trouble list={list} />}
      <CrowdedDoor name="seats" />
      <ChoiceGroup settings={SHOWN_SETTINGS.seats} />
      {list !== undefined && list.seats.length > 0 && (
        <section className={classes.apart}>
          <h3>{t('seats.title')}</h3>
          <ul className={classes.list}>
            {list.seats.map((seat) => (
              <SeatRow key={seat.seatId} seat={seat} />
            ))}
          </ul>
        </section>
      )}
      {list !== undefined && list.urls.length > 0 && person !== undefined && <AddSeat list={list} />}
    </>
  );
}
