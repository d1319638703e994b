// How long a gap is, as it stands in the picture.

import { t } from 'i18next';
import { decimalText } from '../parts/format-number.ts';

export const missingWords = (seconds: number, isMore: boolean): string =>
  isMore
    ? t('live.missingMore', { seconds: Math.floor(seconds) })
    : t('live.missing', { seconds: decimalText(seconds, 1) });
