// How long a gap is, as it stands in the picture.

import { t } from 'i18next';

export const missingWords = (seconds: number): string => t('live.missing', { seconds: seconds.toFixed(1) });
