// What is said of EDF and BDF files that deviate from their format.

export const EDF_WARNINGS = {
  letters_left_out: {
    en: 'EDF holds plain Latin letters alone: letters of the name with marks lost them; those of other scripts, and other letters of the patient’s number, are left out.',
    es: 'EDF solo admite letras latinas sin marcas: las letras del nombre perdieron sus marcas; las de otras escrituras, y otras letras del número del paciente, se omitieron.',
  },
  non_ascii: {
    en: 'The field "{name}" holds letters that EDF does not allow; they were read as text.',
    es: 'El campo «{name}» contiene letras que EDF no permite; se leyeron como texto.',
  },
  decimal_comma: {
    en: 'The field "{name}" is written with a decimal comma.',
    es: 'El campo «{name}» está escrito con coma decimal.',
  },
  date_separator: {
    en: 'Date or time are not written with dots.',
    es: 'La fecha o la hora no están escritas con puntos.',
  },
  'edf_plus_subfields.recording': {
    en: 'The recording field does not begin with "Startdate".',
    es: 'El campo de la grabación no empieza por «Startdate».',
  },
  start_date_differs: {
    en: 'The two start dates of the header differ; the short one was taken.',
    es: 'Las dos fechas de inicio de la cabecera son distintas; se tomó la corta.',
  },
  start_time_invalid: {
    en: 'The start time is missing or impossible and was left out.',
    es: 'La hora de inicio falta o es imposible y se omitió.',
  },
  'edf_plus_subfields.patient': {
    en: 'The patient field has fewer than the four parts that EDF+ asks for.',
    es: 'El campo del paciente tiene menos de las cuatro partes que pide EDF+.',
  },
  header_bytes: {
    en: 'The header states a wrong length of itself; the number of signals was trusted.',
    es: 'La cabecera indica mal su propia longitud; se confió en el número de señales.',
  },
  digital_limits_swapped: {
    en: 'The digital limits of "{label}" are the wrong way round; its scale was taken as they stand.',
    es: 'Los límites digitales de «{label}» están invertidos; su escala se tomó tal como están.',
  },
  'record_count.size': {
    en: 'The number of data records is missing; it was taken from the size of the file.',
    es: 'Falta el número de registros de datos; se tomó del tamaño del archivo.',
  },
  'truncated.records': {
    en: 'The file ends early: {present} of {stated} announced data records are there ({percent} %).',
    es: 'El archivo termina antes de tiempo: hay {present} de {stated} registros de datos anunciados ({percent} %).',
  },
  record_count: {
    en: 'The header does not tell the number of data records; {present} were found.',
    es: 'La cabecera no indica el número de registros de datos; se encontraron {present}.',
  },
  extra_bytes: {
    en: '{count} bytes behind the announced data were not read.',
    es: 'No se leyeron {count} bytes que siguen a los datos anunciados.',
  },
  annotation_label: {
    en: 'The annotation signal is called "{label}".',
    es: 'La señal de anotaciones se llama «{label}».',
  },
  empty_signal: {
    en: 'The signal "{label}" has no samples and was left out.',
    es: 'La señal «{label}» no tiene muestras y se omitió.',
  },
  annotations_in_plain_file: {
    en: 'A signal is called annotations, but the file is not EDF+; it was read as a signal.',
    es: 'Una señal se llama anotaciones, pero el archivo no es EDF+; se leyó como señal.',
  },
  annotations_cut: {
    en: 'Of its annotations the first {count} were read.',
    es: 'De sus anotaciones se leyeron las primeras {count}.',
  },
  annotation_malformed: {
    en: '{count} annotations could not be read and were skipped.',
    es: '{count} anotaciones no se pudieron leer y se omitieron.',
  },
  time_keeper_jumps: {
    en: 'The file says that it is continuous, and has {count} gaps; they were kept as gaps.',
    es: 'El archivo dice que es continuo y tiene {count} interrupciones; se conservaron.',
  },
  time_keeper_overlap: {
    en: '{count} data records state a time before the end of the one before them.',
    es: '{count} registros de datos indican una hora anterior al final del que los precede.',
  },
  time_keeper_implausible: {
    en: '{count} data records state a time that cannot be; it was left out.',
    es: '{count} registros de datos indican una hora que no puede ser; se omitió.',
  },
  'scale_unknown.header': {
    en: 'The header states no usable scale for "{label}"; its amplitudes are not measured.',
    es: 'La cabecera no indica una escala utilizable para «{label}»; sus amplitudes no se miden.',
  },
  duplicate_label: {
    en: 'More than one signal is called "{label}".',
    es: 'Más de una señal se llama «{label}».',
  },
} as const;
