// Speed, gain, filter, way and layout of the live picture. What is shown other than usual stands in a warning
// colour.

import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../parts/icon.tsx';
import { GAINS_MM_PER_MV, SPEEDS_MM_PER_S, SpeedAndGain } from '../../parts/speed-and-gain.tsx';
import { DISPLAY_FILTER_NAMES, DISPLAY_FILTERS, type DisplayFilter } from '../../trace/display-filter.ts';
import { LAYOUTS } from '../../trace/ecg-layout.ts';
import classes from './live.module.css';
import type { LiveSettings } from './live-settings.ts';
import { releaseFocus } from './release-focus.ts';

/** `0.05–150 Hz · mains 50` */
export function useFilterWords({ name, mainsHz }: DisplayFilter): string {
  const { t } = useTranslation();
  const { highPassHz, lowPassHz } = DISPLAY_FILTERS[name];
  return `${highPassHz}–${lowPassHz} Hz · ${mainsHz === 0 ? t('live.mainsOff') : t('live.mainsOn', { hz: mainsHz })}`;
}

interface ToolbarProps {
  readonly settings: LiveSettings;
  onChange(change: Partial<LiveSettings>): void;
  readonly filter: DisplayFilter;
  onFilter(filter: DisplayFilter): void;
}

function FilterMenu({ filter, onFilter }: Pick<ToolbarProps, 'filter' | 'onFilter'>): ReactNode {
  const { t } = useTranslation();
  const words = useFilterWords(filter);
  const isDiagnostic = DISPLAY_FILTERS[filter.name].isDiagnostic;
  return (
    <Menu position="bottom-start" width={340} returnFocus={false} onClose={releaseFocus}>
      <Menu.Target>
        <button type="button" className={`${classes.tool} ${isDiagnostic ? '' : classes.unusual}`}>
          {t('live.filter', { words })}
          <Icon name="down" size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={filter.name}
          onChange={(name) => onFilter({ ...filter, name: name as DisplayFilter['name'] })}
        >
          {DISPLAY_FILTER_NAMES.map((name) => (
            <Menu.RadioItem key={name} value={name}>
              {t(`live.filters.${name}`)} <small className="quiet">{t(`live.filterNote.${name}`)}</small>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('live.mains')}</Menu.Label>
        <Menu.RadioGroup
          value={String(filter.mainsHz)}
          onChange={(hz) => onFilter({ ...filter, mainsHz: Number(hz) as DisplayFilter['mainsHz'] })}
        >
          {(['0', '50', '60'] as const).map((hz) => (
            <Menu.RadioItem key={hz} value={hz}>
              {hz === '0' ? t('live.mainsOff') : t('live.mainsOn', { hz })}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function LayoutMenu({ settings, onChange }: Pick<ToolbarProps, 'settings' | 'onChange'>): ReactNode {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={260} returnFocus={false} onClose={releaseFocus}>
      <Menu.Target>
        <button
          type="button"
          className={classes.tool}
          aria-label={t('live.layoutIs', { layout: t(`live.layouts.${settings.kind}`) })}
        >
          {t(`live.layouts.${settings.kind}`)}
          <Icon name="down" size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={settings.kind}
          onChange={(kind) => onChange({ kind: kind as LiveSettings['kind'] })}
        >
          {LAYOUTS.map((kind) => (
            <Menu.RadioItem key={kind} value={kind}>
              {t(`live.layouts.${kind}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.RadioGroup
          value={settings.mode}
          onChange={(mode) => onChange({ mode: mode as LiveSettings['mode'] })}
        >
          {(['sweep', 'scroll'] as const).map((mode) => (
            <Menu.RadioItem key={mode} value={mode}>
              {t(`live.modes.${mode}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.RadioGroup
          value={settings.order}
          onChange={(order) => onChange({ order: order as LiveSettings['order'] })}
        >
          {(['classic', 'cabrera'] as const).map((order) => (
            <Menu.RadioItem key={order} value={order}>
              {t(`live.orders.${order}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

export function LiveToolbar(props: ToolbarProps): ReactNode {
  const { t } = useTranslation();
  const { settings, onChange } = props;
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t('live.toolbar')}>
      <SpeedAndGain speeds={SPEEDS_MM_PER_S} gains={GAINS_MM_PER_MV} values={settings} onChange={onChange} />
      <FilterMenu filter={props.filter} onFilter={props.onFilter} />
      <div className={classes.space} />
      <LayoutMenu settings={settings} onChange={onChange} />
    </div>
  );
}
