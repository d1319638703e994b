// Colours of the cable, and the mains of the building.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSetting, useSettingChange } from '../../bridge/use-settings.ts';
import { ELECTRODE_CODES, type ElectrodeCode, MARKS } from '../../parts/electrode-table.ts';
import { Segments } from '../../parts/segments.tsx';
import classes from './first-start.module.css';
import type { StepProps } from './step-props.ts';

const MAINS = ['50', '60', 'off'] as const;

export function ElectrodesStep({ formId, onSubmit }: StepProps): ReactNode {
  const { t } = useTranslation();
  const code = useSetting('display.electrodeCode');
  const mains = useSetting('display.mainsFilter');
  const setting = useSettingChange();
  return (
    <form id={formId} onSubmit={(event) => onSubmit(event)}>
      <fieldset className={classes.codes} aria-label={t('settings.name.display_electrodeCode')}>
        {ELECTRODE_CODES.map((each: ElectrodeCode) => (
          <label key={each} className={classes.code} data-chosen={each === code || undefined}>
            <input
              type="radio"
              name="start-electrodes"
              checked={each === code}
              onChange={() => void setting.change('display.electrodeCode', each)}
            />
            <b>{t(`start.electrodes.${each}`)}</b>
            <span className={classes.marks}>
              {Object.values(MARKS[each]).map(({ label, colour, ink }) => (
                <i key={label} style={{ background: colour, color: ink }}>
                  {label}
                </i>
              ))}
            </span>
          </label>
        ))}
      </fieldset>
      <div className={classes.card}>
        <div className={classes.field}>
          <span className={classes.words}>
            <b>{t('settings.name.display_mainsFilter')}</b>
            <small>{t('start.electrodes.mains')}</small>
          </span>
          <Segments
            label={t('settings.name.display_mainsFilter')}
            name="start-mains"
            segments={MAINS.map((value) => ({
              value,
              label: t(`settings.choice.display_mainsFilter.${value}`),
            }))}
            value={MAINS.find((value) => value === mains)}
            onChoose={(value) => void setting.change('display.mainsFilter', value)}
          />
        </div>
      </div>
      {setting.trouble !== undefined && (
        <p role="alert" className={classes.trouble}>
          {setting.trouble}
        </p>
      )}
    </form>
  );
}
