// The words of findings, for screens and paper alike. `{name}` stands for a value of the statement; what
// stands in [brackets] is left out where one of its values is missing.

import type { Language } from '../language.ts';
import type { StatementCode, UnassessedCode, UnassessedReason } from './codes.ts';

export interface FindingTexts {
  readonly statement: Readonly<Record<StatementCode, string>>;
  readonly unassessed: Readonly<Record<UnassessedCode, string>>;
  readonly reason: Readonly<Record<UnassessedReason, string>>;
  /** Before the list of what was not assessed. */
  readonly notAssessed: string;
}

export const FINDING_TEXTS: Readonly<Record<Language, FindingTexts>> = {
  en: {
    statement: {
      'RHY-SINUS': 'Sinus rhythm, {rate}/min',
      'RHY-SBRADY': 'Sinus bradycardia, {rate}/min',
      'RHY-STACHY': 'Sinus tachycardia, {rate}/min',
      'RHY-AFIB': 'Probable atrial fibrillation[, {rate}/min]',
      'RHY-AFIBPART': 'Possible atrial fibrillation in parts, {seconds} s in all',
      'RHY-VT': 'Wide QRS tachycardia, {rate}/min: ventricular tachycardia until shown otherwise',
      'RHY-NSVT': 'Run of {count} ventricular beats, {rate}/min[ ({runs} runs)]',
      'RHY-VF':
        'Ventricular fibrillation or flutter, or an artefact like it, for {seconds} s: check the patient',
      'RHY-ASYS': 'No heartbeat for {seconds} s: asystole, or electrodes off. Check the patient',
      'RHY-PACED': 'Probable paced rhythm[, {rate}/min]',
      'RHY-PACESPIKES': 'Pacing spikes ({count})',
      'RHY-PAUSE': 'Pause of {seconds} s[ ({count} pauses)]',
      'RHY-UNDET': 'Rhythm not determined[, {rate}/min]',
      'ECT-PVC': 'Ventricular premature beats ({count})',
      'ECT-PVCFREQ': 'Frequent ventricular premature beats ({count})',
      'ECT-PAC': 'Supraventricular premature beats ({count})',
      'ECT-PACFREQ': 'Frequent supraventricular premature beats ({count})',
      'AVB-1': 'First-degree AV block: PR {ms} ms',
      'INT-HR': 'Heart rate {rate}/min',
      'INT-QRS': 'Wide QRS: {ms} ms',
      'INT-CHILD': 'Child: adult limits were not applied',
      'REP-LQT': 'Long QT: QTc {ms} ms ({formula})',
      'REP-SQT': 'Possible short QT: QTc {ms} ms ({formula})',
      'AXIS-LAD': 'Left axis deviation ({degrees}°)',
      'AXIS-RAD': 'Right axis deviation ({degrees}°)',
      'AXIS-EXT': 'Extreme axis deviation ({degrees}°)',
      'LEAD-REV': 'Right and left arm electrodes may be reversed',
      'QUAL-POOR': 'Signal too poor to interpret',
      'QUAL-FAIR': 'Limited signal quality',
      'QUAL-SHORT': 'Short recording: {seconds} s',
      'QUAL-HUM': 'Mains interference: {hz} Hz, {uv} µV',
      'QUAL-NOBEAT': 'Heartbeats cannot be told from noise: check the electrodes and the patient',
    },
    unassessed: {
      RHYTHM: 'rhythm',
      ST: 'ST segment',
      QWAVES: 'Q waves',
      CONDUCTION: 'bundle branch blocks',
      HYPERTROPHY: 'hypertrophy',
      INTERVALS: 'PR, QRS and QT limits',
      AXIS: 'axis',
      ECTOPY: 'ectopic beats and runs',
    },
    reason: {
      version: 'not in this version',
      signal: 'signal too poor',
      rhythm: 'rhythm not determined',
      paced: 'paced rhythm',
      electrodes: 'electrodes may be reversed',
      leads: 'leads missing',
      child: 'no limits for children',
    },
    notAssessed: 'Not assessed',
  },
  es: {
    statement: {
      'RHY-SINUS': 'Ritmo sinusal, {rate}/min',
      'RHY-SBRADY': 'Bradicardia sinusal, {rate}/min',
      'RHY-STACHY': 'Taquicardia sinusal, {rate}/min',
      'RHY-AFIB': 'Probable fibrilación auricular[, {rate}/min]',
      'RHY-AFIBPART': 'Posible fibrilación auricular por tramos, {seconds} s en total',
      'RHY-VT': 'Taquicardia de QRS ancho, {rate}/min: ventricular mientras no se demuestre lo contrario',
      'RHY-NSVT': 'Racha de {count} latidos ventriculares, {rate}/min[ ({runs} rachas)]',
      'RHY-VF':
        'Fibrilación o flúter ventricular, o un artefacto similar, durante {seconds} s: compruebe al paciente',
      'RHY-ASYS': 'Sin latidos durante {seconds} s: asistolia o electrodos sueltos. Compruebe al paciente',
      'RHY-PACED': 'Probable ritmo de marcapasos[, {rate}/min]',
      'RHY-PACESPIKES': 'Espigas de marcapasos ({count})',
      'RHY-PAUSE': 'Pausa de {seconds} s[ ({count} pausas)]',
      'RHY-UNDET': 'Ritmo no determinado[, {rate}/min]',
      'ECT-PVC': 'Extrasístoles ventriculares ({count})',
      'ECT-PVCFREQ': 'Extrasístoles ventriculares frecuentes ({count})',
      'ECT-PAC': 'Extrasístoles supraventriculares ({count})',
      'ECT-PACFREQ': 'Extrasístoles supraventriculares frecuentes ({count})',
      'AVB-1': 'Bloqueo AV de primer grado: PR {ms} ms',
      'INT-HR': 'Frecuencia cardíaca {rate}/min',
      'INT-QRS': 'QRS ancho: {ms} ms',
      'INT-CHILD': 'Niño: no se aplicaron los límites de adultos',
      'REP-LQT': 'QT largo: QTc {ms} ms ({formula})',
      'REP-SQT': 'Posible QT corto: QTc {ms} ms ({formula})',
      'AXIS-LAD': 'Desviación del eje a la izquierda ({degrees}°)',
      'AXIS-RAD': 'Desviación del eje a la derecha ({degrees}°)',
      'AXIS-EXT': 'Desviación extrema del eje ({degrees}°)',
      'LEAD-REV': 'Posible inversión de los electrodos de los brazos',
      'QUAL-POOR': 'Señal demasiado mala para interpretarla',
      'QUAL-FAIR': 'Calidad de señal limitada',
      'QUAL-SHORT': 'Registro corto: {seconds} s',
      'QUAL-HUM': 'Interferencia de red: {hz} Hz, {uv} µV',
      'QUAL-NOBEAT': 'No se distinguen latidos del ruido: compruebe los electrodos y al paciente',
    },
    unassessed: {
      RHYTHM: 'ritmo',
      ST: 'segmento ST',
      QWAVES: 'ondas Q',
      CONDUCTION: 'bloqueos de rama',
      HYPERTROPHY: 'hipertrofia',
      INTERVALS: 'límites de PR, QRS y QT',
      AXIS: 'eje',
      ECTOPY: 'extrasístoles y rachas',
    },
    reason: {
      version: 'no en esta versión',
      signal: 'señal demasiado mala',
      rhythm: 'ritmo no determinado',
      paced: 'ritmo de marcapasos',
      electrodes: 'electrodos quizá invertidos',
      leads: 'faltan derivaciones',
      child: 'sin límites para niños',
    },
    notAssessed: 'No valorado',
  },
};
