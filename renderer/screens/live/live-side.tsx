// Beside the picture: heart rate, electrodes, what has to be done about the signal, its quality in figures.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { deadLeads, ELECTRODES, electrodesOf, SOME_ELECTRODE } from '../../../shared/signal/electrode.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import type { LiveFindings } from '../../../shared/signal/live/live-findings.ts';
import { isMeasured, offElectrodes, usedElectrodes } from '../../parts/electrode-contact.ts';
import { ElectrodePicture } from '../../parts/electrode-picture.tsx';
import { type ElectrodeCode, MARKS } from '../../parts/electrode-table.ts';
import { decimalText } from '../../parts/format-number.ts';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import type { DisplayFilter } from '../../trace/display-filter.ts';
import { shownLeads } from '../../trace/shown-leads.ts';
import { DeviceSwitch } from './device-switch.tsx';
import classes from './live.module.css';

function HeartRate({
  findings,
  isToneOn,
}: {
  findings: LiveFindings | undefined;
  isToneOn: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const bpm = findings?.heartRateBpm;
  return (
    <div className={classes.rate}>
      <b data-testid="heart-rate">{bpm ?? '--'}</b>
      <div>
        <strong>{t('devices.perMinute')}</strong>
        <span>
          {bpm === undefined
            ? t(`devices.noRate.${findings?.noRateReason ?? 'starting'}`)
            : t('devices.heartRate')}
        </span>
        <span>
          {bpm === undefined ? '' : `R–R ${Math.round(60_000 / bpm)} ms · `}
          {t(isToneOn ? 'live.toneOn' : 'live.toneOff')} <Key of="live.tone" />
        </span>
      </div>
    </div>
  );
}

export interface Advice {
  readonly title: string;
  readonly text: string;
  /** What can be done with one click. */
  readonly action?: { readonly label: string; run(): void };
}

/** What the technician should do about the signal, the most pressing first. */
function useAdvice({
  device,
  findings,
  code,
  filter,
  onFilter,
}: Omit<LiveSideProps, 'isToneOn'>): readonly Advice[] {
  const { t } = useTranslation();
  const off = electrodesOf(device.electrodesOff);
  const advice: Advice[] = [];
  if (device.state === 'lost') advice.push({ title: t('live.lost'), text: t('live.lostText') });
  // Without the neutral electrode all others read as if they were off.
  const named = off.includes('RL') ? (['RL'] as const) : off;
  for (const electrode of named) {
    const dead = deadLeads(device.leads, 1 << ELECTRODES.indexOf(electrode));
    const leads = shownLeads(device.leads)
      .filter(
        ({ one, two, weightTwo }) =>
          (dead & (1 << one)) !== 0 || (weightTwo !== 0 && (dead & (1 << two)) !== 0),
      )
      .map((lead) => leadName(lead.code));
    advice.push({
      title: t('live.electrodeOff', {
        electrode: MARKS[code][electrode].label,
        place: t(`live.short.${electrode}`),
      }),
      text: t('live.electrodeOffText', { place: t(`live.place.${electrode}`), leads: leads.join(', ') }),
    });
  }
  const suspects = electrodesOf(offElectrodes(device, findings) & ~device.electrodesOff);
  // All at once point at the limbs, and at nothing in particular.
  if (suspects.length > 3) advice.push({ title: t('live.noSignal'), text: t('live.noSignalText') });
  else
    for (const electrode of suspects)
      advice.push({
        title: t('live.noSignalFrom', {
          electrode: MARKS[code][electrode].label,
          place: t(`live.short.${electrode}`),
        }),
        text: t('live.noSignalFromText', { place: t(`live.place.${electrode}`) }),
      });
  if ((device.electrodesOff & SOME_ELECTRODE) !== 0)
    advice.push({ title: t('live.someOff'), text: t('live.someOffText') });
  if (isMeasured(device, findings) && findings.limbOrder === 'doubtful' && off.length === 0)
    advice.push({
      title: t('live.swap', { one: MARKS[code].RA.label, two: MARKS[code].LA.label }),
      text: t('live.swapText', { one: MARKS[code].RA.label, two: MARKS[code].LA.label }),
    });
  const hum = isMeasured(device, findings) ? findings.hum : undefined;
  if (hum !== undefined && hum.hz !== filter.mainsHz)
    advice.push({
      title: t('live.hum', { uv: hum.uv, hz: hum.hz }),
      text: t('live.humText'),
      action: {
        label: t('live.humFilter', { hz: hum.hz }),
        run: () => onFilter({ ...filter, mainsHz: hum.hz }),
      },
    });
  if (device.deviceClass === 'monitoring')
    advice.push({ title: t('live.monitoring'), text: t('live.monitoringText') });
  return advice;
}

function qualityWords(
  device: DeskDevice,
  findings: LiveFindings | undefined,
): 'good' | 'noisy' | 'veryNoisy' | 'noSignal' | undefined {
  if (!isMeasured(device, findings)) return undefined;
  return (
    (['noSignal', 'veryNoisy', 'noisy'] as const).find((word) => findings.quality.includes(word)) ?? 'good'
  );
}

function Figures({
  device,
  findings,
}: {
  device: DeskDevice;
  findings: LiveFindings | undefined;
}): ReactNode {
  const { t } = useTranslation();
  // While an alarm stands, nothing of its signal is called good.
  const isAlarm = (findings?.arrest ?? findings?.rateAlarm) !== undefined;
  const worst = isAlarm ? undefined : qualityWords(device, findings);
  // Only the leads that are shown count: one that follows from two others is as good as both.
  const shown = shownLeads(device.leads);
  const isGood = (place: number): boolean => findings?.quality[place] === 'good';
  const good = shown.filter(({ one, two }) => isGood(one) && isGood(two)).length;
  const { recording } = device;
  const limbOrder = isMeasured(device, findings) && !isAlarm ? findings.limbOrder : undefined;
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{t('live.device')}</dt>
        <dd>
          <DeviceSwitch device={device} />
        </dd>
      </div>
      <div>
        <dt>{t('live.quality')}</dt>
        <dd data-good={worst === 'good' || undefined}>
          {worst === undefined
            ? '–'
            : t('live.qualityText', {
                word: t(`devices.quality.${worst}`),
                good,
                count: shown.length,
              })}
        </dd>
      </div>
      {recording !== undefined && (
        <div>
          <dt>{t('live.lostSamples')}</dt>
          <dd>{decimalText(100 * recording.lostShare, 2)} %</dd>
        </div>
      )}
      <div>
        <dt>{t('live.sampling')}</dt>
        <dd>
          {device.rateHz === undefined
            ? '–'
            : `${Math.round(device.rateHz * 100) / 100} Hz · ${t('worklist.leads', { count: shown.length })}`}
        </dd>
      </div>
      {device.batteryPercent !== undefined && (
        <div>
          <dt>{t('live.battery')}</dt>
          <dd>{device.batteryPercent} %</dd>
        </div>
      )}
      {findings !== undefined && findings.paceSamples.length > 0 && (
        <div>
          <dt>{t('live.pacing')}</dt>
          <dd>{t('live.pacingSeen')}</dd>
        </div>
      )}
      <div>
        <dt>{t('live.order')}</dt>
        <dd data-good={limbOrder === 'plausible' || undefined}>
          {limbOrder === undefined ? '–' : t(`live.limbOrder.${limbOrder}`)}
        </dd>
      </div>
    </dl>
  );
}

interface LiveSideProps {
  readonly device: DeskDevice;
  readonly findings: LiveFindings | undefined;
  readonly code: ElectrodeCode;
  readonly isToneOn: boolean;
  readonly filter: DisplayFilter;
  onFilter(filter: DisplayFilter): void;
}

export function LiveSide(props: LiveSideProps): ReactNode {
  const { t } = useTranslation();
  const { device, findings, code, isToneOn } = props;
  const used = usedElectrodes(device);
  const advice = useAdvice(props);
  const off = offElectrodes(device, findings);
  const isPending = !isMeasured(device, findings);
  const inContact = [...used].filter((electrode) => !electrodesOf(off).includes(electrode)).length;
  return (
    <aside className={classes.side} aria-label={t('live.side')}>
      <HeartRate findings={findings} isToneOn={isToneOn} />
      <div className={classes.sideBody}>
        <div className={classes.sideHead}>
          <h2>{t('live.electrodes')}</h2>
          <span className="quiet">
            {isPending ? '–' : t('live.inContact', { count: inContact, total: used.size })}
          </span>
        </div>
        <ElectrodePicture code={code} off={off} used={used} isPending={isPending} />
        <div aria-live="polite">
          {advice.slice(0, 2).map(({ title, text, action }) => (
            <div key={title} className={classes.advice}>
              <Icon name="warning" size={19} />
              <div>
                <strong>{title}</strong>
                <p>{text}</p>
                {action !== undefined && (
                  <Button h={44} variant="default" onClick={action.run}>
                    {action.label}
                  </Button>
                )}
              </div>
            </div>
          ))}
        </div>
      </div>
      <Figures device={device} findings={findings} />
    </aside>
  );
}
