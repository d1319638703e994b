// What is said of WFDB records that deviate from their format.

export const WFDB_WARNINGS = {
  start_time_spelling: {
    en: 'The start is written date first, which is not WFDB; it was read as such.',
    es: 'El inicio está escrito con la fecha delante, lo que no es WFDB; se leyó así.',
  },
  'start_time_invalid.impossible': {
    en: 'The start time is impossible and was left out.',
    es: 'La hora de inicio es imposible y se omitió.',
  },
  record_name_is_file: {
    en: 'The record line names a file ("{name}") in place of the record.',
    es: 'La línea del registro nombra un archivo («{name}») en lugar del registro.',
  },
  segment_missing: {
    en: 'The segment "{name}" is not here; its time is marked as missing.',
    es: 'El segmento «{name}» no está aquí; su tiempo consta como ausente.',
  },
  segment_unreadable: {
    en: 'The segment "{name}" cannot be read; its time is marked as missing.',
    es: 'El segmento «{name}» no se puede leer; su tiempo consta como ausente.',
  },
  segment_shape: {
    en: 'The segment "{name}" has another sample rate than the record; its time is marked as missing.',
    es: 'El segmento «{name}» tiene otra frecuencia de muestreo que el registro; su tiempo consta como ausente.',
  },
  'segment_unreadable.reason': {
    en: 'The segment "{name}" cannot be read; its time is marked as missing. {reason}',
    es: 'El segmento «{name}» no se puede leer; su tiempo consta como ausente.',
  },
  segment_gain: {
    en: 'Pieces of "{label}" have another gain; their values were rounded to the steps of the whole record.',
    es: 'Partes de «{label}» tienen otra ganancia; sus valores se redondearon a los pasos del registro completo.',
  },
  'segment_shape.piece': {
    en: 'A piece of "{label}" has another rate or unit; its time is marked as missing.',
    es: 'Una parte de «{label}» tiene otra frecuencia o unidad; su tiempo consta como ausente.',
  },
  segment_short: {
    en: 'A segment holds fewer samples than announced; the rest is marked as missing.',
    es: 'Un segmento contiene menos muestras de las anunciadas; el resto consta como ausente.',
  },
  segment_long: {
    en: 'A segment holds more samples than announced; those beyond were not read.',
    es: 'Un segmento contiene más muestras de las anunciadas; las sobrantes no se leyeron.',
  },
  segment_sum: {
    en: 'The segments have {present} samples together, and the header announces {stated}.',
    es: 'Los segmentos suman {present} muestras y la cabecera anuncia {stated}.',
  },
  file_name_case: {
    en: 'The signal file "{name}" is here as "{found}".',
    es: 'El archivo de señal «{name}» está aquí como «{found}».',
  },
  signal_file_name: {
    en: 'The header "{name}" takes its samples from "{samples}", a file with another name: check that both belong to one recording.',
    es: 'La cabecera «{name}» toma sus muestras de «{samples}», un archivo con otro nombre: compruebe que ambos pertenecen a un mismo registro.',
  },
  'checksum.signal': {
    en: 'The checksum of "{label}" does not fit its samples.',
    es: 'La suma de comprobación de «{label}» no concuerda con sus muestras.',
  },
  signal_file_missing: {
    en: 'The signal file "{name}" is not here; its signals are marked as missing.',
    es: 'El archivo de señal «{name}» no está aquí; sus señales constan como ausentes.',
  },
  'truncated.signals': {
    en: 'The signal file ends early: {present} of {stated} announced samples are there ({percent} %).',
    es: 'El archivo de señal termina antes de tiempo: hay {present} de {stated} muestras anunciadas ({percent} %).',
  },
  gain_missing: {
    en: 'The header states no gain for "{label}"; its amplitudes are not calibrated.',
    es: 'La cabecera no indica la ganancia de «{label}»; sus amplitudes no están calibradas.',
  },
} as const;
