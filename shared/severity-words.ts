// What severities are called, on screens and on paper. That nothing was found is
// said of what was assessed; that an ECG is normal is a finding of its own.

import type { Language } from './language.ts';
import type { Severity } from './severity.ts';

type SeverityWords = Readonly<Record<Severity | 'absent', string>>;

export const SEVERITY_WORDS: Readonly<Record<Language, SeverityWords>> = {
  en: {
    NONE: 'No finding',
    LOW: 'Low',
    MODERATE: 'Moderate',
    IMPORTANT: 'Important',
    CRITICAL: 'Critical',
    absent: 'Severity not determined',
  },
  es: {
    NONE: 'Sin hallazgos',
    LOW: 'Leve',
    MODERATE: 'Moderado',
    IMPORTANT: 'Importante',
    CRITICAL: 'Crítico',
    absent: 'Gravedad no determinada',
  },
};
