// One channel of a file: whether it is used, what it looks like, which lead it is, and why the program thinks so.

import { Button, NativeSelect, NumberInput, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { plainText } from '../../../shared/patient-text.ts';
import {
  AS_NAMED,
  type ChosenChannel,
  MOST_UV_PER_UNIT,
  NO_PLACE,
} from '../../../shared/signal/channel-choice.ts';
import { LEAD_CODES, leadName } from '../../../shared/signal/lead.ts';
import { Icon } from '../../parts/icon.tsx';
import { ChannelPicture } from './channel-picture.tsx';
import classes from './channels.module.css';
import { type FileChannel, isDoubtful, looksTurned, usualName } from './chosen-channels.ts';

interface RowProps {
  readonly channel: FileChannel;
  readonly chosen: ChosenChannel;
  /** What was said where the file does not say it. */
  readonly rateHz: number | undefined;
  onChange(change: { readonly [K in keyof ChosenChannel]?: ChosenChannel[K] | undefined }): void;
}

const LEFT_OUT = '';

/** `256 Hz · µV` */
function Facts({ channel, rateHz }: Pick<RowProps, 'channel' | 'rateHz'>): ReactNode {
  const { t } = useTranslation();
  const { unit, isRateUnknown } = channel;
  const hz = isRateUnknown === true ? rateHz : channel.rateHz;
  const shownUnit = unit === '' ? t('channels.noUnit') : plainText(unit);
  return (
    <small>
      {hz === undefined ? t('channels.noRate') : `${Math.round(hz * 100) / 100} Hz`} · {shownUnit}
    </small>
  );
}

function LeadChoice({ channel, chosen, onChange }: RowProps): ReactNode {
  const { t } = useTranslation();
  const { lead, isModified, isUsed, label } = channel;
  const ownName =
    lead === undefined
      ? t('channels.unplaced')
      : isModified === true
        ? t('channels.modified', { label: plainText(label) })
        : t('channels.lead', { lead: leadName(lead) });
  const leads = LEAD_CODES.filter((code) => code !== lead || isModified === true);
  const data = [
    ...(isUsed || chosen.as === AS_NAMED ? [{ value: AS_NAMED, label: ownName }] : []),
    ...leads.map((code) => ({ value: code, label: t('channels.lead', { lead: leadName(code) }) })),
    ...(isUsed && lead === undefined ? [] : [{ value: NO_PLACE, label: t('channels.unplaced') }]),
    { value: LEFT_OUT, label: t('channels.notEcg') },
  ];
  return (
    <NativeSelect
      aria-label={t('channels.leadOf', { label: plainText(label) })}
      data={data}
      value={chosen.as ?? LEFT_OUT}
      disabled={!channel.isFast}
      onChange={({ currentTarget: { value } }) =>
        onChange({ as: value === LEFT_OUT ? undefined : (value as NonNullable<ChosenChannel['as']>) })
      }
    />
  );
}

/** Beats were counted at the rate that the channel was looked at with. */
const beatsAt = (
  { beatsPerMinute, isRateUnknown, rateHz: lookedAtHz }: FileChannel,
  rateHz: number | undefined,
): number | undefined =>
  isRateUnknown === true && beatsPerMinute !== undefined
    ? rateHz && Math.round((beatsPerMinute * rateHz) / lookedAtHz)
    : beatsPerMinute;

function Why({ channel, chosen, rateHz }: Pick<RowProps, 'channel' | 'chosen' | 'rateHz'>): ReactNode {
  const { t } = useTranslation();
  const { kind, isFast, isFlat, isUsed } = channel;
  const beatsPerMinute = beatsAt(channel, rateHz);
  const named = kind === 'ecg' || kind === 'unknown' ? [] : [t(`channels.kind.${kind}`)];
  const unit =
    !isUsed && kind === 'ecg' && isFast && channel.uvPerUnit === undefined ? [t('channels.notVolts')] : [];
  // Without a rate, nobody knows how fast the beats are.
  const seen =
    channel.isRateUnknown === true && rateHz === undefined
      ? []
      : [
          !isFast
            ? t('channels.slow')
            : isFlat
              ? t('channels.flat')
              : beatsPerMinute === undefined
                ? t('channels.noBeats')
                : t('channels.beats', { perMinute: beatsPerMinute }),
        ];
  return (
    <span className={classes.why}>
      {looksTurned(channel, chosen) && <b>{t('channels.upsideDown')}</b>}
      {[...named, ...unit, ...seen].join('; ')}
    </span>
  );
}

/** The file does not say how large a step is. */
function Scale({ channel, chosen, onChange }: RowProps): ReactNode {
  const { t } = useTranslation();
  if (chosen.as === undefined || channel.uvPerUnit !== undefined) return null;
  return (
    <div className={classes.scale}>
      <span>{t('channels.step')}</span>
      <NumberInput
        hideControls
        w={88}
        min={0}
        max={MOST_UV_PER_UNIT}
        decimalScale={6}
        aria-label={t('channels.stepOf', { label: plainText(channel.label) })}
        value={chosen.uvPerUnit ?? ''}
        onChange={(value) =>
          onChange({ uvPerUnit: typeof value === 'number' && value > 0 ? value : undefined })
        }
      />
      <span>µV</span>
      {chosen.uvPerUnit === undefined && <em>{t('channels.noScale')}</em>}
    </div>
  );
}

export function ChannelRow(props: RowProps): ReactNode {
  const { t } = useTranslation();
  const { channel, chosen, rateHz, onChange } = props;
  const isUsed = chosen.as !== undefined;
  const label = plainText(channel.label);
  return (
    <li className={classes.row} data-used={isUsed} data-doubtful={isDoubtful(channel, chosen)}>
      <Switch
        size="md"
        aria-label={t('channels.use', { label })}
        checked={isUsed}
        disabled={!channel.isFast}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ as: checked ? usualName(channel) : undefined })
        }
      />
      <span className={classes.label}>
        <b>{label}</b>
        <Facts channel={channel} rateHz={rateHz} />
      </span>
      <ChannelPicture channel={channel} isTurned={chosen.isTurned === true} />
      <LeadChoice {...props} />
      <Why channel={channel} chosen={chosen} rateHz={rateHz} />
      <Button
        className={classes.turn ?? ''}
        variant={chosen.isTurned ? 'filled' : looksTurned(channel, chosen) ? 'default' : 'subtle'}
        h={40}
        px={10}
        disabled={!isUsed}
        aria-pressed={chosen.isTurned === true}
        aria-label={t('channels.turnOf', { label })}
        leftSection={<Icon name="turnOver" />}
        onClick={() => onChange({ isTurned: chosen.isTurned !== true })}
      >
        {t('channels.turn')}
      </Button>
      <Scale {...props} />
    </li>
  );
}
