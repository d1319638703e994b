// What has been answered at each step of the first start, in a few words.

import { useTranslation } from 'react-i18next';
import type { FirstStep } from '../../../shared/first-start.ts';
import { LANGUAGES } from '../../../shared/language.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useSession } from '../../bridge/use-session.ts';
import { useSetting } from '../../bridge/use-settings.ts';
import { localNumber } from '../../parts/size-text.ts';
import { useDesk } from '../../parts/use-desk.ts';
import { shownLanguage } from '../../text/text.ts';
import { useCalibration } from '../../trace/calibration.ts';
import { countryName } from './countries.ts';

export function useAnswers(): { readonly [S in FirstStep]: string | undefined } {
  const { t } = useTranslation();
  const language = shownLanguage();
  const country = useSetting('clinic.country');
  const clinic = useSetting('report.clinic');
  const electrodes = useSetting('display.electrodeCode');
  const mains = useSetting('display.mainsFilter');
  const { users } = useSession();
  const { data: backup } = useBridgeQuery('backup.state', {});
  const { pxPerMm, isTrue } = useCalibration();
  const { device } = useDesk();
  const joined = (...parts: readonly (string | undefined)[]): string | undefined =>
    parts.filter((part) => part !== undefined && part !== '').join(' · ') || undefined;
  return {
    language: joined(LANGUAGES[language], country === '' ? undefined : countryName(country, language)),
    clinic: joined(clinic, users[0]?.name),
    storage: backup?.folder === undefined ? undefined : t('start.storage.answer'),
    screen: isTrue
      ? t('calibration.density', { density: localNumber(pxPerMm * devicePixelRatio, 2) })
      : undefined,
    electrodes: joined(electrodes, mains === 'off' ? t('start.electrodes.noFilter') : `${mains} Hz`),
    device: device?.name,
  };
}
