// The words that stand on every report, by language. Findings have their own catalogue, shared with the
// screens.

import type { Measurements } from '../../shared/analysis-result.ts';
import type { Language } from '../../shared/language.ts';
import type { Severity } from '../../shared/severity.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';

export interface ReportWords {
  readonly title: string;
  readonly months: readonly string[];
  readonly gender: Readonly<Record<NonNullable<PatientFacts['gender']>, string>>;
  readonly nameNotGiven: string;
  readonly years: string;
  readonly startNotRecorded: string;
  readonly fromSecond: string;
  readonly zoneNotRecorded: string;
  readonly notApproved: string;
  readonly automatic: string;
  readonly approvedBy: string;
  readonly unprintable: string;
  readonly severity: string;
  readonly severityUnknown: string;
  readonly severities: Readonly<Record<Severity, string>>;
  readonly more: (count: number) => string;
  readonly cells: Readonly<
    Record<
      Exclude<
        keyof Measurements,
        | 'rrMinMs'
        | 'rrMaxMs'
        | 'jtMs'
        | 'qtcWideMs'
        | 'leads'
        | 'st'
        | 'qtcFraminghamMs'
        | 'qtcHodgesMs'
        | 'medianBeats'
        | 'qrsAxisDeg'
        | 'tAxisDeg'
      >,
      string
    >
  >;
  readonly simulated: string;
  readonly unfiltered: string;
  readonly file: string;
  readonly orders: Readonly<Record<'sequential' | 'simultaneous', string>>;
  readonly lost: string;
  readonly leadsNotShown: (count: number) => string;
  readonly recorded: (shown: string, all: string) => string;
  readonly task: string;
  readonly analysis: string;
  readonly page: string;
  readonly controlLine: string;
  readonly monitoring: string;
  /** The gains of the file cannot be right. */
  readonly gainAssumed: string;
  readonly suggestion: string;
}

export const REPORT_WORDS: Readonly<Record<Language, ReportWords>> = {
  en: {
    title: 'ECG report',
    months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
    gender: { FEMALE: 'female', MALE: 'male', UNDIFFERENTIATED: 'undifferentiated' },
    nameNotGiven: 'Name not given',
    years: 'y',
    startNotRecorded: 'Start time not recorded',
    fromSecond: 'from second',
    zoneNotRecorded: 'zone not recorded',
    notApproved: 'NOT APPROVED',
    automatic: 'Automatic analysis, not reviewed by a physician',
    approvedBy: 'Approved by',
    unprintable: 'Letters marked ? cannot be printed: compare date of birth and ID.',
    severity: 'Severity',
    severityUnknown: 'Severity not determined',
    severities: {
      NONE: 'No rhythm finding',
      LOW: 'Low',
      MODERATE: 'Moderate',
      IMPORTANT: 'Important',
      CRITICAL: 'Critical',
    },
    more: (count) => `and ${count} more`,
    cells: {
      heartRateBpm: 'Heart rate',
      rrMs: 'R-R',
      pMs: 'P',
      prMs: 'PR',
      qrsMs: 'QRS',
      qtMs: 'QT',
      qtcBazettMs: 'QTc Bazett',
      qtcFridericiaMs: 'QTc Fridericia',
      pAxisDeg: 'Axis P / QRS / T',
    },
    simulated: 'SIMULATED',
    unfiltered: 'unfiltered signal · mains filter off',
    file: 'file',
    orders: { sequential: 'sequential', simultaneous: 'simultaneous' },
    lost: 'lost',
    leadsNotShown: (count) => `${count} more leads not shown`,
    recorded: (shown, all) => `${shown} s of ${all} s recorded`,
    task: 'Task',
    analysis: 'analysis',
    page: 'page',
    controlLine: '50 mm when printed at 100 %',
    monitoring: 'Monitoring quality: not for ST or morphology.',
    gainAssumed: 'Gain assumed: 1 µV a step.',
    suggestion: 'The program suggests, a physician decides.',
  },
  es: {
    title: 'Informe de ECG',
    months: ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'],
    gender: { FEMALE: 'mujer', MALE: 'hombre', UNDIFFERENTIATED: 'indiferenciado' },
    nameNotGiven: 'Nombre no indicado',
    years: 'años',
    startNotRecorded: 'Hora de inicio no registrada',
    fromSecond: 'desde el segundo',
    zoneNotRecorded: 'zona horaria no registrada',
    notApproved: 'SIN VALIDAR',
    automatic: 'Análisis automático, no revisado por un médico',
    approvedBy: 'Validado por',
    unprintable: 'Las letras marcadas con ? no se pueden imprimir: compare la fecha de nacimiento y el ID.',
    severity: 'Gravedad',
    severityUnknown: 'Gravedad no determinada',
    severities: {
      NONE: 'Sin hallazgos de ritmo',
      LOW: 'Leve',
      MODERATE: 'Moderada',
      IMPORTANT: 'Importante',
      CRITICAL: 'Crítica',
    },
    more: (count) => `y ${count} más`,
    cells: {
      heartRateBpm: 'Frecuencia',
      rrMs: 'R-R',
      pMs: 'P',
      prMs: 'PR',
      qrsMs: 'QRS',
      qtMs: 'QT',
      qtcBazettMs: 'QTc Bazett',
      qtcFridericiaMs: 'QTc Fridericia',
      pAxisDeg: 'Eje P / QRS / T',
    },
    simulated: 'SIMULADO',
    unfiltered: 'señal sin filtrar · filtro de red desactivado',
    file: 'archivo',
    orders: { sequential: 'secuencial', simultaneous: 'simultáneo' },
    lost: 'perdido',
    leadsNotShown: (count) => `${count} derivaciones más no mostradas`,
    recorded: (shown, all) => `${shown} s de ${all} s registrados`,
    task: 'Tarea',
    analysis: 'análisis',
    page: 'página',
    controlLine: '50 mm si se imprime al 100 %',
    monitoring: 'Calidad de monitorización: no apta para ST ni morfología.',
    gainAssumed: 'Ganancia supuesta: 1 µV por paso.',
    suggestion: 'El programa propone, el médico decide.',
  },
};
