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
  perhaps_no_ecg: {
    en: 'Nothing in the file says that it is an ECG ({labels}), and no heartbeats were found: whether the heart stands still was not assessed. If it is an ECG, choose its channels.',
    es: 'Nada en el archivo dice que sea un ECG ({labels}) y no se encontraron latidos: no se valoró si el corazón está parado. Si es un ECG, elija sus canales.',
  },
  'channels_left_out.chosen': {
    en: 'Left out by a person: {labels}.',
    es: 'Excluidas por una persona: {labels}.',
  },
  channels_chosen: {
    en: 'The channels were chosen by a person: {labels}.',
    es: 'Los canales los eligió una persona: {labels}.',
  },
  channels_turned: {
    en: 'Turned over by a person: {labels}.',
    es: 'Invertidas por una persona: {labels}.',
  },
  channel_rate_chosen: {
    en: 'The file does not say how many samples a second it has; a person said {hz}.',
    es: 'El archivo no dice cuántas muestras por segundo tiene; una persona indicó {hz}.',
  },
  channel_scale_chosen: {
    en: 'The scale of "{label}" was set by a person: 1 in the file = {uv} µV.',
    es: 'La escala de «{label}» la fijó una persona: 1 en el archivo = {uv} µV.',
  },
  channel_choice_unfit: {
    en: 'The channels that a person had chosen are not those of this file. The channels are read as the file names them.',
    es: 'Los canales que había elegido una persona no son los de este archivo. Los canales se leen como los nombra el archivo.',
  },
  table_time_guessed: {
    en: 'The column of times has no unit; it was read as {unit}, which makes {hz} samples a second.',
    es: 'La columna de tiempos no tiene unidad; se leyó en {unit}, lo que da {hz} muestras por segundo.',
  },
  table_rows_unreadable: {
    en: '{count} lines among the numbers are no rows of the table; they read as missing samples.',
    es: '{count} líneas entre los números no son filas de la tabla; constan como muestras ausentes.',
  },
  rhythms_left_out: {
    en: 'The first recording of the file was read; {count} more of it were not.',
    es: 'Se leyó el primer registro del archivo; no se leyeron otros {count}.',
  },
  table_rows_missing: {
    en: '{count} rows are missing by their times; they read as missing samples.',
    es: 'Faltan {count} filas según sus tiempos; constan como muestras ausentes.',
  },
  'read_elsewhere.cart': {
    en: 'Read by the cart, not by Isoline: {text}',
    es: 'Leído por el electrocardiógrafo, no por Isoline: {text}',
  },
  'read_elsewhere.watch': {
    en: 'Read by the watch, not by Isoline: {text}',
    es: 'Leído por el reloj, no por Isoline: {text}',
  },
  'read_elsewhere.file': {
    en: 'A reading in the file, not by Isoline: {text}',
    es: 'Una lectura en el archivo, no de Isoline: {text}',
  },
  channels_unnamed: {
    en: 'The file does not say which leads these are: {labels}. Nothing that depends on the place of an electrode is assessed on them.',
    es: 'El archivo no dice qué derivaciones son estas: {labels}. En ellas no se valora nada que dependa del lugar de un electrodo.',
  },
} as const;
