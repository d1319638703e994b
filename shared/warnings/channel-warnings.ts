// What is said of channels that are not analysed, or whose place is not known.

const leftOut = (en: string, es: string) => ({
  en: `Left out of the analysis: {labels} (${en}).`,
  es: `Excluidas del análisis: {labels} (${es}).`,
});

export const CHANNEL_WARNINGS = {
  'channels_left_out.ecg': {
    en: 'Left out of the analysis, because less than 25 samples a second show no ECG: {labels}.',
    es: 'Excluidas del análisis, porque menos de 25 muestras por segundo no muestran un ECG: {labels}.',
  },
  'channels_left_out.eeg': leftOut('EEG', 'EEG'),
  'channels_left_out.eog': leftOut('eye movements', 'movimientos oculares'),
  'channels_left_out.emg': leftOut('muscles', 'músculos'),
  'channels_left_out.respiration': leftOut('breathing', 'respiración'),
  'channels_left_out.oximetry': leftOut('oximetry or pulse', 'oximetría o pulso'),
  'channels_left_out.pressure': leftOut('pressure', 'presión'),
  'channels_left_out.motion': leftOut('position or motion', 'posición o movimiento'),
  'channels_left_out.marker': leftOut('markers', 'marcas'),
  'channels_left_out.temperature': leftOut('temperature', 'temperatura'),
  'channels_left_out.battery': leftOut('battery', 'batería'),
  'channels_left_out.fetal': leftOut('fetal signals', 'señales fetales'),
  'channels_left_out.other': leftOut('no ECG', 'no es un ECG'),
  'channels_left_out.unknown': leftOut('not known to be an ECG', 'no consta que sea un ECG'),
  channels_unnamed: {
    en: 'The file does not say which leads these are: {labels}. Nothing that depends on the place of an electrode is assessed on them.',
    es: 'El archivo no dice qué derivaciones son estas: {labels}. En ellas no se valora nada que dependa del lugar de un electrodo.',
  },
} as const;
