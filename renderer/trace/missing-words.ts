// How long a gap is, as it stands in the picture.

import { t } from 'i18next';

export const missingWords = (seconds: number, isMore: boolean): string =>
  isMore
    ? t('live.missingMore', { seconds: Math.floor(seconds) })
    : t('live.missing', { seconds: seconds.toFixed(1) });
