// The words that stand on every report, by language. Findings have their own catalogue, shared with the screens. The font
// has no ≤ ≥ Δ ▲ ▼: words say it, or shapes.

import type { Language } from '../../shared/language.ts';
import type { PaperGain } from '../../shared/review/paper-gain.ts';
import type { Severity } from '../../shared/severity.ts';
import { SEVERITY_WORDS } from '../../shared/severity-words.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';

/** Rows of the table of measurements. */
export const MEASURED = ['rate', 'rr', 'p', 'pr', 'qrs', 'qt', 'qtcF', 'qtcB', 'axes'] as const;
export type Measured = (typeof MEASURED)[number];

/** Why a value is missing. */
const DASH_REASONS = [
  'noBeats',
  'fibrillation',
  'flutter',
  'paced',
  'undetermined',
  'noP',
  'noQrsEnd',
  'noTEnd',
  'noFrontalLeads',
  'notMeasured',
] as const;
export type DashReason = (typeof DASH_REASONS)[number];

export interface ReportWords {
  readonly title: string;
  readonly months: readonly string[];
  readonly gender: Readonly<Record<NonNullable<PatientFacts['gender']>, string>>;
  readonly nameNotGiven: string;
  readonly birthDateUnknown: string;
  readonly recordingNumber: (task: number) => string;
  readonly years: string;
  readonly monthsOfAge: string;
  readonly days: string;
  readonly startNotRecorded: string;
  readonly fromSecond: string;
  readonly zoneNotRecorded: string;
  readonly notApproved: string;
  readonly automatic: string;
  readonly approvedBy: string;
  readonly amended: string;
  readonly unprintable: string;
  readonly normal: string;
  readonly abnormal: string;
  readonly incomplete: string;
  readonly tooPoor: string;
  readonly suggested: (version: string) => string;
  readonly madeByProgram: (version: string) => string;
  readonly readBy: (name: string, changes: string) => string;
  readonly suggestedTheSame: string;
  readonly changed: {
    readonly beats: (count: number) => string;
    readonly marks: (count: number) => string;
    readonly rhythms: (count: number) => string;
    readonly episodes: (count: number) => string;
    readonly reworded: (count: number) => string;
    readonly rejected: (count: number) => string;
    readonly added: (count: number) => string;
    readonly severity: string;
  };
  readonly severity: string;
  readonly severities: Readonly<Record<Severity | 'absent', string>>;
  readonly moreBehind: (count: number) => string;
  readonly columns: {
    readonly measurement: string;
    readonly usual: string;
    readonly at: string;
    readonly statement: string;
    readonly rests: string;
    readonly leads: string;
    readonly kind: string;
    readonly begins: string;
    readonly length: string;
    readonly beats: string;
    readonly rate: string;
    readonly strip: string;
  };
  readonly measured: Readonly<Record<Measured, string>>;
  readonly below: (value: number) => string;
  readonly upTo: (value: number) => string;
  readonly dash: Readonly<Record<DashReason, string>>;
  readonly none: string;
  /** In the narrow columns of Q, R and S. */
  readonly noDeflection: string;
  /** How a rule that could not be applied is told. */
  readonly notAssessed: string;
  readonly aboutRecording: string;
  readonly simulated: string;
  readonly notCalibrated: string;
  readonly unfiltered: string;
  readonly file: string;
  readonly orders: Readonly<Record<'sequential' | 'simultaneous', string>>;
  readonly lost: string;
  readonly shown: (shown: string, all: string) => string;
  readonly leadsNotShown: (count: number) => string;
  readonly task: string;
  readonly revision: string;
  readonly analysis: string;
  readonly page: (page: number, of: number) => string;
  readonly controlLine: string;
  readonly monitoring: string;
  /** The gains of the file cannot be right. */
  readonly gainAssumed: string;
  readonly suggestion: string;
  readonly medianTitle: (beats: number) => string;
  readonly medianKey: string;
  readonly why: string;
  readonly notes: string;
  readonly signal: string;
  readonly signalOf: Readonly<Record<'good' | 'fair' | 'poor' | 'cutOff' | 'silent', string>>;
  readonly rejectedTitle: string;
  readonly otherValues: string;
  readonly marks: Readonly<Record<'pOnset' | 'pOffset' | 'qrsOnset' | 'qrsOffset' | 'tEnd', string>>;
  readonly gain: Readonly<Record<PaperGain, string>>;
  readonly ecgOf: (leads: string, seconds: string, scale: string) => string;
  readonly logo: string;
  readonly everyBeat: (lead: string) => string;
  readonly everyBeatKey: string;
  readonly wholeRecording: string;
  readonly trendKey: string;
  readonly lanes: {
    readonly rate: string;
    readonly ventricular: string;
    readonly fibrillation: string;
    readonly episodes: string;
    readonly unread: string;
  };
  readonly episodes: string;
  readonly episode: Readonly<Record<string, string>>;
  /** How many episodes there are of the kind of this one. */
  readonly oneOf: (count: string) => string;
  readonly summary: {
    readonly recorded: string;
    readonly read: string;
    readonly beats: string;
    readonly ventricular: string;
    readonly supraventricular: string;
    readonly meanRate: string;
    readonly highest: string;
    readonly lowest: string;
    readonly longest: string;
    readonly pauses: string;
    readonly fibrillation: string;
    readonly pacing: string;
    readonly paced: string;
    readonly sdnn: string;
  };
  readonly rrUnder: string;
  readonly hours: {
    readonly title: string;
    readonly hour: string;
    readonly all: string;
    readonly columns: Readonly<
      Record<'beats' | 'lowest' | 'mean' | 'highest' | 'v' | 's' | 'af' | 'pause' | 'read', string>
    >;
  };
  readonly events: string;
  /** Beats whose class is not sure, and that nobody has answered for. */
  readonly unsure: (count: number) => string;
}

const count =
  (one: string, many: string) =>
  (n: number): string =>
    n === 1 ? `1 ${one}` : `${n} ${many}`;

export const REPORT_WORDS: Readonly<Record<Language, ReportWords>> = {
  en: {
    title: 'ECG report',
    months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
    gender: { FEMALE: 'female', MALE: 'male', UNDIFFERENTIATED: 'undifferentiated' },
    nameNotGiven: 'Name not given',
    birthDateUnknown: 'Birth date not known',
    recordingNumber: (task) => `Recording ${task}`,
    years: 'y',
    monthsOfAge: 'months',
    days: 'days',
    startNotRecorded: 'Start time not recorded',
    fromSecond: 'from second',
    zoneNotRecorded: 'zone not recorded',
    notApproved: 'NOT APPROVED',
    automatic: 'Not read by a physician',
    approvedBy: 'Approved by',
    amended: 'Changed',
    unprintable: 'Letters marked ? cannot be printed: compare date of birth and ID.',
    normal: 'Normal ECG',
    abnormal: 'Abnormal ECG',
    incomplete: 'Not fully assessed',
    tooPoor: 'Not assessed: signal too poor',
    suggested: (version) => `Suggested by the program (analysis ${version}), not yet read by a physician.`,
    madeByProgram: (version) => `Made by the program (analysis ${version}), not read by a physician.`,
    readBy: (name, changes) => `Read by ${name}; ${changes}.`,
    suggestedTheSame: 'the program suggested the same',
    changed: {
      beats: count('correction of beats', 'corrections of beats'),
      marks: count('mark moved', 'marks moved'),
      rhythms: count('rhythm drawn', 'rhythms drawn'),
      episodes: count('episode rejected or moved', 'episodes rejected or moved'),
      reworded: count('finding reworded', 'findings reworded'),
      rejected: count('finding rejected', 'findings rejected'),
      added: count('finding added', 'findings added'),
      severity: 'severity set',
    },
    severity: 'Severity',
    severities: SEVERITY_WORDS.en,
    moreBehind: (n) => `and ${n} more on the following pages`,
    columns: {
      measurement: 'Measurement',
      usual: 'Usual',
      at: 'At',
      statement: 'Statement',
      rests: 'Rests on',
      leads: 'Leads',
      kind: 'Kind',
      begins: 'Begins',
      length: 'Length',
      beats: 'Beats',
      rate: 'Rate /min',
      strip: 'Strip',
    },
    measured: {
      rate: 'Heart rate',
      rr: 'R-R range',
      p: 'P duration',
      pr: 'PR',
      qrs: 'QRS',
      qt: 'QT',
      qtcF: 'QTc Fridericia',
      qtcB: 'QTc Bazett',
      axes: 'Axis P/QRS/T',
    },
    below: (value) => `below ${value}`,
    upTo: (value) => `up to ${value}`,
    dash: {
      noBeats: 'no beats found',
      fibrillation: 'absent in atrial fibrillation',
      flutter: 'absent in atrial flutter',
      paced: 'paced beats',
      undetermined: 'rhythm not determined',
      noP: 'no steady P wave',
      noQrsEnd: 'no clear QRS end',
      noTEnd: 'no clear T end',
      noFrontalLeads: 'needs leads I and aVF',
      notMeasured: 'not measurable',
    },
    none: 'none',
    noDeflection: 'none',
    notAssessed: 'not assessed',
    aboutRecording: 'About the recording:',
    simulated: 'SIMULATED',
    notCalibrated: 'not calibrated',
    unfiltered: 'unfiltered signal · mains filter off',
    file: 'file',
    orders: { sequential: 'sequential', simultaneous: 'simultaneous' },
    lost: 'lost',
    shown: (shown, all) => `${shown} s of ${all} s shown`,
    leadsNotShown: count('more lead not shown', 'more leads not shown'),
    task: 'Task',
    revision: 'version',
    analysis: 'analysis',
    page: (page, of) => `page ${page} of ${of}`,
    controlLine: '50 mm when printed at 100 %',
    monitoring: 'Monitoring quality: not for ST or morphology.',
    gainAssumed: 'Gain assumed: 1 µV a step.',
    suggestion: 'The program suggests, a physician decides.',
    medianTitle: (beats) => `Median of ${beats} beats, all leads aligned, marks common to all leads`,
    medianKey: 'Marks: P begin and end, QRS begin, J point (QRS end), T end',
    why: 'Why: what the statements rest on',
    notes: 'Notes',
    signal: 'Signal',
    signalOf: {
      good: 'good',
      fair: 'noisy',
      poor: 'very noisy',
      cutOff: 'without signal at times',
      silent: 'without signal',
    },
    rejectedTitle: 'Rejected',
    otherValues: 'More values',
    marks: { pOnset: 'P', pOffset: '', qrsOnset: 'QRS', qrsOffset: 'J', tEnd: 'T end' },
    gain: { '10': '10 mm/mV', '5': '5 mm/mV', '10/5': '10 mm/mV, chest leads (½) 5 mm/mV' },
    ecgOf: (leads, seconds, scale) => `ECG, leads ${leads}, ${seconds} seconds, ${scale}`,
    logo: 'Logo of the clinic',
    everyBeat: (lead) => `Every beat of lead ${lead}`,
    everyBeatKey: 'one minute a line · dot: V beat · grey: not read · right: rate, V beats',
    wholeRecording: 'The whole recording',
    trendKey: 'line: mean · grey: slowest to fastest',
    lanes: {
      rate: 'Rate',
      ventricular: 'V beats',
      fibrillation: 'Fibrillation',
      episodes: 'Episodes',
      unread: 'Not read',
    },
    episodes: 'Episodes: the most telling of each kind',
    episode: {
      AFIB: 'Atrial fibrillation',
      VT: 'Ventricular run',
      SVTA: 'Supraventricular run',
      VF: 'Ventricular fibrillation',
      ASYS: 'No heartbeat',
      PAUSE: 'Pause',
      BRADY: 'Slow rate',
      TACHY: 'Fast rate',
      V: 'Ventricular beat',
      S: 'Supraventricular beat',
      FIRST: 'Rhythm strip',
      FASTEST: 'Fastest rate',
      SLOWEST: 'Slowest rate',
      EVENT: 'Patient’s event',
      HAND: 'Chosen strip',
    },
    oneOf: (count) => `1 of ${count}`,
    summary: {
      recorded: 'Recorded',
      read: 'Read',
      beats: 'Beats',
      ventricular: 'Ventricular beats',
      supraventricular: 'Supraventricular beats',
      meanRate: 'Heart rate, mean',
      highest: 'Highest, 8 beats',
      lowest: 'Lowest, 8 beats',
      longest: 'Longest R-R',
      pauses: 'Pauses',
      fibrillation: 'Atrial fibrillation',
      pacing: 'Pacing',
      paced: 'paced beats',
      sdnn: 'SDNN',
    },
    rrUnder: 'Under the trace: R-R in ms, ticks at the beats.',
    hours: {
      title: 'Hour by hour',
      hour: 'Hour',
      all: 'All',
      columns: {
        beats: 'Beats',
        lowest: 'Lowest /min',
        mean: 'Mean /min',
        highest: 'Highest /min',
        v: 'V',
        s: 'S',
        af: 'Fibrillation',
        pause: 'Longest pause',
        read: 'Read',
      },
    },
    events: 'What the patient felt or did',
    unsure: (n) =>
      n === 1
        ? 'Of 1 beat another class is nearly as likely; it is left as the program has it'
        : `Of ${n} beats another class is nearly as likely; they are left as the program has them`,
  },
  es: {
    title: 'Informe de ECG',
    months: ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'],
    gender: { FEMALE: 'mujer', MALE: 'hombre', UNDIFFERENTIATED: 'indiferenciado' },
    nameNotGiven: 'Nombre no indicado',
    birthDateUnknown: 'Fecha de nacimiento desconocida',
    recordingNumber: (task) => `Registro ${task}`,
    years: 'años',
    monthsOfAge: 'meses',
    days: 'días',
    startNotRecorded: 'Hora de inicio no registrada',
    fromSecond: 'desde el segundo',
    zoneNotRecorded: 'zona horaria no registrada',
    notApproved: 'NO APROBADO',
    automatic: 'No leído por un médico',
    approvedBy: 'Aprobado por',
    amended: 'Modificado',
    unprintable: 'Las letras marcadas con ? no se pueden imprimir: compare la fecha de nacimiento y el ID.',
    normal: 'ECG normal',
    abnormal: 'ECG anormal',
    incomplete: 'Valoración incompleta',
    tooPoor: 'No valorado: señal insuficiente',
    suggested: (version) => `Propuesta del programa (análisis ${version}), aún no leída por un médico.`,
    madeByProgram: (version) => `Hecho por el programa (análisis ${version}), no leído por un médico.`,
    readBy: (name, changes) => `Leído por ${name}; ${changes}.`,
    suggestedTheSame: 'el programa propuso lo mismo',
    changed: {
      beats: count('corrección de latidos', 'correcciones de latidos'),
      marks: count('marca movida', 'marcas movidas'),
      rhythms: count('ritmo marcado', 'ritmos marcados'),
      episodes: count('episodio rechazado o movido', 'episodios rechazados o movidos'),
      reworded: count('hallazgo con texto modificado', 'hallazgos con texto modificado'),
      rejected: count('hallazgo rechazado', 'hallazgos rechazados'),
      added: count('hallazgo añadido', 'hallazgos añadidos'),
      severity: 'gravedad fijada',
    },
    severity: 'Gravedad',
    severities: SEVERITY_WORDS.es,
    moreBehind: (n) => `y ${n} más en las páginas siguientes`,
    columns: {
      measurement: 'Medida',
      usual: 'Habitual',
      at: 'Hora',
      statement: 'Hallazgo',
      rests: 'Se basa en',
      leads: 'Derivaciones',
      kind: 'Tipo',
      begins: 'Comienzo',
      length: 'Duración',
      beats: 'Latidos',
      rate: 'Frec. /min',
      strip: 'Tira',
    },
    measured: {
      rate: 'Frec. cardíaca',
      rr: 'Intervalo R-R',
      p: 'Duración de P',
      pr: 'PR',
      qrs: 'QRS',
      qt: 'QT',
      qtcF: 'QTc Fridericia',
      qtcB: 'QTc Bazett',
      axes: 'Eje P/QRS/T',
    },
    below: (value) => `menos de ${value}`,
    upTo: (value) => `hasta ${value}`,
    dash: {
      noBeats: 'no se hallan latidos',
      fibrillation: 'ausente por fibrilación',
      flutter: 'ausente por aleteo',
      paced: 'latidos de marcapasos',
      undetermined: 'ritmo no determinado',
      noP: 'sin onda P estable',
      noQrsEnd: 'sin fin de QRS claro',
      noTEnd: 'sin fin de T claro',
      noFrontalLeads: 'requiere I y aVF',
      notMeasured: 'no se puede medir',
    },
    none: 'ninguna',
    noDeflection: 'no',
    notAssessed: 'sin valorar',
    aboutRecording: 'Sobre el registro:',
    simulated: 'SIMULADO',
    notCalibrated: 'sin calibrar',
    unfiltered: 'señal sin filtrar · sin filtro de red',
    file: 'archivo',
    orders: { sequential: 'secuencial', simultaneous: 'simultáneo' },
    lost: 'pérdida',
    shown: (shown, all) => `se muestran ${shown} s de ${all} s`,
    leadsNotShown: count('derivación más no mostrada', 'derivaciones más no mostradas'),
    task: 'Tarea',
    revision: 'versión',
    analysis: 'análisis',
    page: (page, of) => `página ${page} de ${of}`,
    controlLine: '50 mm si se imprime al 100 %',
    monitoring: 'Calidad de monitorización: no apta para ST ni morfología.',
    gainAssumed: 'Ganancia supuesta: 1 µV por paso.',
    suggestion: 'El programa propone, el médico decide.',
    medianTitle: (beats) => `Mediana de ${beats} latidos, derivaciones alineadas, marcas comunes`,
    medianKey: 'Marcas: comienzo y fin de P, comienzo del QRS, punto J (fin del QRS), fin de T',
    why: 'Por qué: en qué se basan los hallazgos',
    notes: 'Notas',
    signal: 'Señal',
    signalOf: {
      good: 'buena',
      fair: 'con ruido',
      poor: 'con mucho ruido',
      cutOff: 'sin señal por momentos',
      silent: 'sin señal',
    },
    rejectedTitle: 'Rechazado',
    otherValues: 'Otros valores',
    marks: { pOnset: 'P', pOffset: '', qrsOnset: 'QRS', qrsOffset: 'J', tEnd: 'fin T' },
    gain: { '10': '10 mm/mV', '5': '5 mm/mV', '10/5': '10 mm/mV, precordiales (½) 5 mm/mV' },
    ecgOf: (leads, seconds, scale) => `ECG, derivaciones ${leads}, ${seconds} segundos, ${scale}`,
    logo: 'Logotipo de la clínica',
    everyBeat: (lead) => `Todos los latidos de ${lead}`,
    everyBeatKey: 'un minuto por línea · punto: latido V · gris: no leído · derecha: frecuencia, latidos V',
    wholeRecording: 'Todo el registro',
    trendKey: 'línea: media · gris: del más lento al más rápido',
    lanes: {
      rate: 'Frec.',
      ventricular: 'Lat. V',
      fibrillation: 'Fibrilación',
      episodes: 'Episodios',
      unread: 'No leído',
    },
    episodes: 'Episodios: el más ilustrativo de cada tipo',
    episode: {
      AFIB: 'Fibrilación auricular',
      VT: 'Salva ventricular',
      SVTA: 'Salva supraventricular',
      VF: 'Fibrilación ventricular',
      ASYS: 'Sin latido',
      PAUSE: 'Pausa',
      BRADY: 'Frecuencia lenta',
      TACHY: 'Frecuencia rápida',
      V: 'Latido ventricular',
      S: 'Latido supraventricular',
      FIRST: 'Tira de ritmo',
      FASTEST: 'Frecuencia más rápida',
      SLOWEST: 'Frecuencia más lenta',
      EVENT: 'Evento del paciente',
      HAND: 'Tira elegida',
    },
    oneOf: (count) => `1 de ${count}`,
    summary: {
      recorded: 'Registrado',
      read: 'Leído',
      beats: 'Latidos',
      ventricular: 'Latidos ventriculares',
      supraventricular: 'Latidos supraventriculares',
      meanRate: 'Frecuencia media',
      highest: 'Máxima, 8 latidos',
      lowest: 'Mínima, 8 latidos',
      longest: 'R-R más largo',
      pauses: 'Pausas',
      fibrillation: 'Fibrilación auricular',
      pacing: 'Marcapasos',
      paced: 'latidos estimulados',
      sdnn: 'SDNN',
    },
    rrUnder: 'Bajo el trazado: R-R en ms, marcas en los latidos.',
    hours: {
      title: 'Hora a hora',
      hour: 'Hora',
      all: 'Todo',
      columns: {
        beats: 'Latidos',
        lowest: 'Mínima /min',
        mean: 'Media /min',
        highest: 'Máxima /min',
        v: 'V',
        s: 'S',
        af: 'Fibrilación',
        pause: 'Pausa más larga',
        read: 'Leído',
      },
    },
    events: 'Lo que el paciente sintió o hizo',
    unsure: (n) =>
      n === 1
        ? 'En 1 latido otra clase es casi igual de probable; queda como lo tiene el programa'
        : `En ${n} latidos otra clase es casi igual de probable; quedan como los tiene el programa`,
  },
};
