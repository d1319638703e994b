// What is said of a file that deviates from its format, or of a recording that is not whole: one text a
// warning, in both languages. Behind the point of a name stands which of several texts of one code it is;
// codes are stable, and other programs read them.

import { CHANNEL_WARNINGS } from './channel-warnings.ts';
import { EDF_WARNINGS } from './edf-warnings.ts';
import { WFDB_WARNINGS } from './wfdb-warnings.ts';

export interface WarningText {
  readonly en: string;
  readonly es: string;
}

/** `{label}` is a value of the warning. */
export const WARNING_TEXTS = {
  ...CHANNEL_WARNINGS,
  ...EDF_WARNINGS,
  ...WFDB_WARNINGS,
  lead_repeated: {
    en: '"{label}" repeats another lead and was not analysed.',
    es: '«{label}» repite otra derivación y no se analizó.',
  },
  lead_resampled: {
    en: '"{label}" was recorded at {rateHz} Hz and resampled to {analysedHz} Hz for the analysis.',
    es: '«{label}» se grabó a {rateHz} Hz y se remuestreó a {analysedHz} Hz para el análisis.',
  },
  // These two stand in results of versions before 0.4; since then everything is analysed.
  analysis_cut: {
    en: 'The recording is very long: its first {percent} % were analysed.',
    es: 'El registro es muy largo: se analizó el primer {percent} %.',
  },
  leads_left_out: {
    en: 'The recording is long: {count} of its leads were analysed.',
    es: 'El registro es largo: se analizaron {count} de sus derivaciones.',
  },
  uncalibrated: {
    en: 'The file does not settle the scale of "{label}"; its amplitudes are not measured.',
    es: 'El archivo no fija la escala de «{label}»; sus amplitudes no se miden.',
  },
  lead_inverted: {
    en: '"{label}" is stored with reversed sign and was turned for the analysis.',
    es: '«{label}» está guardada con el signo invertido y se dio la vuelta para el análisis.',
  },
  lead_polarity: {
    en: 'The name "{label}" leaves the polarity open.',
    es: 'El nombre «{label}» deja abierta la polaridad.',
  },
  nested_archive: {
    en: '{count} archives inside the archive were not opened.',
    es: 'No se abrieron {count} archivos comprimidos dentro del archivo comprimido.',
  },
  inner_archive_unreadable: {
    en: 'An archive inside the archive cannot be opened; what it holds was not taken.',
    es: 'Un archivo comprimido dentro del archivo comprimido no se puede abrir; no se admitió su contenido.',
  },
  'record_left_out.record_incomplete': {
    en: 'Recording {place} of {count} of the same archive was not taken: a file that belongs to it is missing.',
    es: 'El registro {place} de {count} del mismo archivo comprimido no se admitió: falta un archivo que le pertenece.',
  },
  'record_left_out.no_ecg_record': {
    en: 'Recording {place} of {count} of the same archive was not taken: it holds no ECG.',
    es: 'El registro {place} de {count} del mismo archivo comprimido no se admitió: no contiene un ECG.',
  },
  'record_left_out.record_too_long': {
    en: 'Recording {place} of {count} of the same archive was not taken: it is longer than 35 days.',
    es: 'El registro {place} de {count} del mismo archivo comprimido no se admitió: dura más de 35 días.',
  },
  'record_left_out.empty_file': {
    en: 'Recording {place} of {count} of the same archive was not taken: the file is empty.',
    es: 'El registro {place} de {count} del mismo archivo comprimido no se admitió: el archivo está vacío.',
  },
  'record_left_out.record_unreadable': {
    en: 'Recording {place} of {count} of the same archive was not taken: it cannot be read.',
    es: 'El registro {place} de {count} del mismo archivo comprimido no se admitió: no se puede leer.',
  },
  'record_left_out.more': {
    en: '{count} more recordings of the same archive were not taken.',
    es: 'Otros {count} registros del mismo archivo comprimido no se admitieron.',
  },
  files_ignored: {
    en: '{count} files of the archive belong to no recording.',
    es: '{count} archivos del archivo comprimido no pertenecen a ningún registro.',
  },
  scaling_incomplete: {
    en: 'The stream stated only some of its four scaling fields; none was used.',
    es: 'La transmisión indicó solo algunos de sus cuatro campos de escala; no se usó ninguno.',
  },
  conflicting_frames: {
    en: 'The device sent other samples for times that it had sent before: its clock may have been set back.',
    es: 'El dispositivo envió otras muestras para tiempos que ya había enviado: puede que se haya atrasado su reloj.',
  },
  frames_missing: {
    en: '{present} of the {stated} frames that the device announced arrived.',
    es: 'Llegaron {present} de las {stated} tramas que anunció el dispositivo.',
  },
  finished_by_timeout: {
    en: 'The device stopped sending without an end; the recording was ended for it.',
    es: 'El dispositivo dejó de enviar sin avisar del final; la grabación se dio por terminada.',
  },
  start_corrected: {
    en: 'The computer’s clock was set while this was recorded; the start time is {now}, and not {was}.',
    es: 'El reloj del equipo se ajustó durante la grabación; la hora de inicio es {now}, y no {was}.',
  },
  signal_lost: {
    en: '{stored} s were stored and {lost} s are missing in between; the longest stretch without a gap is {longest} s.',
    es: 'Se guardaron {stored} s y faltan {lost} s entre medias; el tramo más largo sin interrupción es de {longest} s.',
  },
  weight_looks_like_kg: {
    en: 'The weight of {grams} g looks like kilograms.',
    es: 'El peso de {grams} g parece estar en kilogramos.',
  },
  age_differs: {
    en: 'The age and the date of birth do not fit each other; the date of birth is used.',
    es: 'La edad y la fecha de nacimiento no concuerdan; se usa la fecha de nacimiento.',
  },
  same_recording_as: {
    en: 'The same recording is in task {taskId}.',
    es: 'El mismo registro está en la tarea {taskId}.',
  },
  stopped_by_centre: {
    en: 'The central service asked to stop: the recording was ended in order.',
    es: 'El servicio central pidió parar: la grabación se cerró correctamente.',
  },
  continued: {
    en: 'The recording goes on in the next task, without a sample between them.',
    es: 'La grabación sigue en la tarea siguiente, sin que falte ninguna muestra entre ambas.',
  },
  stopped_for_space: {
    en: 'The disk was nearly full: the recording was ended in order.',
    es: 'El disco estaba casi lleno: la grabación se cerró correctamente.',
  },
  'continued.elsewhere': {
    en: 'Another task holds what was recorded before: it was ended while the device was recorded.',
    es: 'Otra tarea contiene lo grabado antes: se terminó mientras el dispositivo grababa.',
  },
  frames_refused: {
    en: '{count} parts of it could not be stored: {reason}',
    es: '{count} partes no se pudieron guardar. Motivo (en inglés): {reason}',
  },
  digits_rounded: {
    en: 'The samples of "{sequence}" have {stated} decimals and were rounded to {decimals}.',
    es: 'Las muestras de «{sequence}» tienen {stated} decimales y se redondearon a {decimals}.',
  },
  digits_unreadable: {
    en: '{count} samples of "{sequence}" are no numbers and are marked as missing.',
    es: '{count} muestras de «{sequence}» no son números y constan como ausentes.',
  },
  sequence_left_out: {
    en: 'The sequence "{sequence}" holds no digits and was left out.',
    es: 'La secuencia «{sequence}» no contiene cifras y se omitió.',
  },
  series_left_out: {
    en: 'A further series of the file could not be placed in time and was left out.',
    es: 'Otra serie del archivo no se pudo situar en el tiempo y se omitió.',
  },
  scale_unknown: {
    en: 'The file does not tell the scale of "{label}"; its amplitudes are not measured.',
    es: 'El archivo no indica la escala de «{label}»; sus amplitudes no se miden.',
  },
  'link_skipped.device': {
    en: 'The archive holds a link or device, "{name}", which was left out.',
    es: 'El archivo comprimido contiene un enlace o dispositivo, «{name}», que se omitió.',
  },
  trailing_bytes: {
    en: 'Bytes behind the end of the archive were not read.',
    es: 'No se leyeron los bytes que siguen al final del archivo comprimido.',
  },
  link_skipped: {
    en: 'The archive holds a link, "{name}", which was not followed.',
    es: 'El archivo comprimido contiene un enlace, «{name}», que no se siguió.',
  },
  'scale_unknown.numbers': {
    en: 'The file tells neither leads nor scale; its numbers were taken as millivolts.',
    es: 'El archivo no indica derivaciones ni escala; sus números se tomaron como milivoltios.',
  },
  compression_number: {
    en: 'The compression is numbered {stated} and was found to be {found}.',
    es: 'La compresión lleva el número {stated} y resultó ser {found}.',
  },
  sidecar_unusable: {
    en: 'The JSON beside the file does not describe it, and was not used.',
    es: 'El JSON que acompaña al archivo no lo describe y no se usó.',
  },
  skew_ignored: {
    en: 'The file states a delay of "{label}" against the other leads, which was not applied.',
    es: 'El archivo indica un retraso de «{label}» respecto a las demás derivaciones, que no se aplicó.',
  },
  truncated: {
    en: 'The file ends early: {present} of {stated} announced samples are there.',
    es: 'El archivo termina antes de tiempo: hay {present} de {stated} muestras anunciadas.',
  },
  'groups_left_out.named': {
    en: 'Left out, because it is no rhythm of an ECG: {labels}.',
    es: 'Excluido porque no es el ritmo de un ECG: {labels}.',
  },
  group_unreadable: {
    en: 'One group of leads cannot be read and was left out. {why}',
    es: 'Un grupo de derivaciones no se puede leer y se excluyó. {why}',
  },
  'series_left_out.overlap': {
    en: 'A stretch of "{label}" overlaps another one or has another scale, and was left out.',
    es: 'Un tramo de «{label}» se solapa con otro o tiene otra escala, y se excluyó.',
  },
  byte_order: {
    en: 'The samples are not in the order of bytes that the file states; they were read in the order that makes a signal.',
    es: 'Las muestras no están en el orden de bytes que indica el archivo; se leyeron en el orden que da una señal.',
  },
  leads_in_turn: {
    en: 'The leads were recorded one after another, each for {seconds} s: this is too short to be analysed. Read the traces.',
    es: 'Las derivaciones se grabaron una tras otra, cada una durante {seconds} s: es demasiado corto para analizarlas. Lea los trazados.',
  },
  height_in_metres: {
    en: 'The height of {stated} was read as metres.',
    es: 'La talla de {stated} se leyó en metros.',
  },
  weight_in_grams: {
    en: 'The weight of {stated} was read as grams.',
    es: 'El peso de {stated} se leyó en gramos.',
  },
  times_unknown: {
    en: 'The file says that it has gaps, but not when {count} of its pieces began: they are put one after another, and times may be wrong.',
    es: 'El archivo dice que tiene interrupciones, pero no cuándo empezaron {count} de sus tramos: se ponen uno tras otro y las horas pueden ser erróneas.',
  },
  patient_text: {
    en: 'The file names the patient in a way that was not understood: "{text}".',
    es: 'El archivo nombra al paciente de un modo que no se entendió: «{text}».',
  },
  letters_guessed: {
    en: 'The file does not say rightly how its letters are written: check the name.',
    es: 'El archivo no indica bien cómo están escritas sus letras: compruebe el nombre.',
  },
  // This one stands in results of version 0.9.0 and before; since then all groups with a rhythm are read.
  groups_left_out: {
    en: 'Of {count} groups of leads the first, the rhythm, was read.',
    es: 'De {count} grupos de derivaciones se leyó el primero, el ritmo.',
  },
  scale_rounded: {
    en: 'The scale of "{label}" could be written with a relative error of {error} only.',
    es: 'La escala de «{label}» solo se pudo escribir con un error relativo de {error}.',
  },
  values_rounded: {
    en: 'Values were rounded by up to {microvolts} µV to fit the format.',
    es: 'Los valores se redondearon hasta {microvolts} µV para ajustarlos al formato.',
  },
  'values_rounded.lead': {
    en: 'Values of "{label}" were rounded by up to {microvolts} µV to fit the format.',
    es: 'Los valores de «{label}» se redondearon hasta {microvolts} µV para ajustarlos al formato.',
  },
  name_cut: {
    en: 'The name of the patient does not fit into the format as it is, and was shortened or changed.',
    es: 'El nombre del paciente no cabe tal cual en el formato y se acortó o se cambió.',
  },
  serial_cut: {
    en: 'The serial number of the device does not fit into the format as it is, and was shortened or changed.',
    es: 'El número de serie del dispositivo no cabe tal cual en el formato y se acortó o se cambió.',
  },
  measures_left_out: {
    en: 'The format has no place for the age, height or weight that is known; it was left out.',
    es: 'El formato no tiene sitio para la edad, la talla o el peso conocidos; se omitieron.',
  },
  ends_left_out: {
    en: 'Missing samples at the beginning or the end were left out.',
    es: 'Se omitieron las muestras ausentes del principio o del final.',
  },
  label_lost: {
    en: 'The format has no place for the name of the lead "{label}"; it was written as unspecified.',
    es: 'El formato no tiene sitio para el nombre de la derivación «{label}»; se escribió sin especificar.',
  },
  remark_changed: {
    en: 'The remark "{remark}…" does not fit into the format as it is, and was shortened or changed.',
    es: 'La observación «{remark}…» no cabe tal cual en el formato y se acortó o se cambió.',
  },
  start_cut: {
    en: 'The format holds only whole seconds; the rest of the start time was left out.',
    es: 'El formato solo admite segundos enteros; el resto de la hora de inicio se omitió.',
  },
  label_cut: {
    en: 'The label "{label}" was cut to {count} characters.',
    es: 'El nombre «{label}» se recortó a {count} caracteres.',
  },
  rate_rounded: {
    en: 'Sample rates could be written with a relative error of {error} only.',
    es: 'Las frecuencias de muestreo solo se pudieron escribir con un error relativo de {error}.',
  },
  too_long: {
    en: 'The FLAC stream holds more than {count} samples; the rest was not read.',
    es: 'El flujo FLAC contiene más de {count} muestras; el resto no se leyó.',
  },
  flac_damaged: {
    en: '{count} places in the FLAC stream are damaged; their samples are marked as missing.',
    es: '{count} puntos del flujo FLAC están dañados; sus muestras constan como ausentes.',
  },
  'truncated.flac': {
    en: 'The FLAC stream ends early: {present} of {stated} announced samples are there.',
    es: 'El flujo FLAC termina antes de tiempo: hay {present} de {stated} muestras anunciadas.',
  },
  'sample_count.flac': {
    en: 'The FLAC stream announces {stated} samples and holds {present}; all were read.',
    es: 'El flujo FLAC anuncia {stated} muestras y contiene {present}; se leyeron todas.',
  },
  'checksum.flac': {
    en: 'The checksum of the FLAC stream does not fit its samples.',
    es: 'La suma de comprobación del flujo FLAC no concuerda con sus muestras.',
  },
  'scale_unknown.flac': {
    en: 'The FLAC stream does not tell its scale; amplitudes are not measured.',
    es: 'El flujo FLAC no indica su escala; las amplitudes no se miden.',
  },
  lengths_differ: {
    en: 'The streams of the file end at different times; what is missing at the end is marked as missing.',
    es: 'Los flujos del archivo terminan en momentos distintos; lo que falta al final consta como ausente.',
  },
  ogg_page_lost: {
    en: 'Pages of the Ogg file are missing; their samples are marked as missing.',
    es: 'Faltan páginas del archivo Ogg; sus muestras constan como ausentes.',
  },
  ogg_page_damaged: {
    en: 'Pages of the Ogg file are damaged; their samples are marked as missing.',
    es: 'Hay páginas dañadas en el archivo Ogg; sus muestras constan como ausentes.',
  },
  'truncated.ogg': {
    en: 'The Ogg file ends before the last page of a stream.',
    es: 'El archivo Ogg termina antes de la última página de un flujo.',
  },
  label_changed: {
    en: 'The label "{label}" was written as "{written}".',
    es: 'El nombre «{label}» se escribió como «{written}».',
  },
  annotations_left_out: {
    en: 'The format has no place for remarks; they were left out.',
    es: 'El formato no tiene sitio para observaciones; se omitieron.',
  },
  'checksum.block': {
    en: 'The checksum of the part "{name}" does not fit its content.',
    es: 'La suma de comprobación de la parte «{name}» no coincide con su contenido.',
  },
  'truncated.file': {
    en: 'The file ends early: what it holds was read.',
    es: 'El archivo termina antes de tiempo: se leyó lo que contiene.',
  },
  rate_by_arrival: {
    en: 'The file states {stated} samples a second, but by their times {arrived} arrived. {stated} was used: if it is wrong, so are all times and rates.',
    es: 'El archivo indica {stated} muestras por segundo, pero según sus horas llegaron {arrived}. Se usó {stated}: si no es correcto, tampoco lo son los tiempos ni las frecuencias.',
  },
  samples_lost: {
    en: '{count} samples were lost on the way from the device, by its counter; they read as missing.',
    es: 'Se perdieron {count} muestras en el camino desde el dispositivo, según su contador; constan como ausentes.',
  },
  'checksum.header': {
    en: 'The checksum of the header does not fit its content.',
    es: 'La suma de comprobación de la cabecera no concuerda con su contenido.',
  },
  sample_count: {
    en: 'The header announces {stated} samples and the file holds {present}.',
    es: 'La cabecera anuncia {stated} muestras y el archivo contiene {present}.',
  },
  zone_lost: {
    en: 'The format has no time zone; the start time was written in UTC.',
    es: 'El formato no tiene zona horaria; la hora de inicio se escribió en UTC.',
  },
  gaps_as_missing: {
    en: 'The format has no gaps; the samples of {count} gaps were written as missing ones.',
    es: 'El formato no tiene interrupciones; las muestras de {count} interrupciones se escribieron como ausentes.',
  },
  tags_open: {
    en: 'The section with patient and device does not end where it should.',
    es: 'La sección con el paciente y el dispositivo no termina donde debería.',
  },
  zone_beyond_reference: {
    en: 'A beat reaches beyond the reference beat; the part beyond was not put back.',
    es: 'Un latido sobrepasa el latido de referencia; la parte sobrante no se repuso.',
  },
  'truncated.lead': {
    en: 'A lead ends early: {present} of {stated} announced samples are there.',
    es: 'Una derivación termina antes de tiempo: hay {present} de {stated} muestras anunciadas.',
  },
  sample_out_of_range: {
    en: '{count} samples leave the 16 bits of the format; they are marked as missing.',
    es: '{count} muestras exceden los 16 bits del formato; constan como ausentes.',
  },
  zero_based_pointers: {
    en: 'The table of sections counts from 0 instead of 1.',
    es: 'La tabla de secciones cuenta desde 0 en vez de desde 1.',
  },
  'truncated.bytes': {
    en: 'The file ends early: {present} of {stated} announced bytes are there.',
    es: 'El archivo termina antes de tiempo: hay {present} de {stated} bytes anunciados.',
  },
  'extra_bytes.record': {
    en: '{count} bytes behind the record were not read.',
    es: 'No se leyeron {count} bytes que siguen al registro.',
  },
  'checksum.record': {
    en: 'The checksum of the record does not fit its content.',
    es: 'La suma de comprobación del registro no concuerda con su contenido.',
  },
  'truncated.section': {
    en: 'Section {section} of the record is cut off.',
    es: 'La sección {section} del registro está cortada.',
  },
  section_checksum: {
    en: 'The checksum of section {section} does not fit its content.',
    es: 'La suma de comprobación de la sección {section} no concuerda con su contenido.',
  },
  'scale_unknown.file': {
    en: 'The file does not tell its scale; amplitudes are not measured.',
    es: 'El archivo no indica su escala; las amplitudes no se miden.',
  },
  stray_frames: {
    en: '{count} frames lie more than six hours from all others; they are kept and not analysed.',
    es: '{count} tramas distan más de seis horas de todas las demás; se conservan y no se analizan.',
  },
  irregular_timestamps: {
    en: 'The timestamps of the frames are irregular; the samples were placed by count.',
    es: 'Las marcas de tiempo de las tramas son irregulares; las muestras se situaron por su número.',
  },
  frames_overlap: {
    en: '{count} frames overlap the one before; the earlier samples were kept.',
    es: '{count} tramas se solapan con la anterior; se conservaron las muestras anteriores.',
  },
  clock_drift: {
    en: 'The clock of the timestamps differs from that of the samples by {ppm} ppm; the samples count.',
    es: 'El reloj de las marcas de tiempo difiere del de las muestras en {ppm} ppm; valen las muestras.',
  },
  rate_corrected: {
    en: 'The device sent {measured} samples a second, not the {declared} that it declares; times and rates are by what was measured.',
    es: 'El dispositivo envió {measured} muestras por segundo, no las {declared} que declara; los tiempos y las frecuencias son los medidos.',
  },
  overlapping_frames: {
    en: '{count} frames hold other samples than those before them for the same time; the earlier ones were kept.',
    es: '{count} tramas contienen muestras distintas de las anteriores para el mismo tiempo; se conservaron las anteriores.',
  },
  cmdt_convention: {
    en: 'The device begins its differences in another way than assumed or known before, and was read that way.',
    es: 'El dispositivo empieza sus diferencias de otro modo que el supuesto o conocido hasta ahora, y se leyó así.',
  },
  frames_damaged: {
    en: '{count} stored frames are damaged; what they held reads as missing.',
    es: '{count} tramas guardadas están dañadas; lo que contenían se lee como ausente.',
  },
  'annotation_malformed.file': {
    en: 'The annotation file could not be read. {reason}',
    es: 'No se pudo leer el archivo de anotaciones.',
  },
  annotation_before_start: {
    en: '{count} remarks lie before the first sample; WFDB has them at its time.',
    es: '{count} observaciones son anteriores a la primera muestra; WFDB las sitúa en ella.',
  },
  annotation_duration_lost: {
    en: 'WFDB has no durations of remarks; those of {count} were left out.',
    es: 'WFDB no guarda la duración de las observaciones; se omitieron las de {count}.',
  },
  annotation_cut: {
    en: '{count} remarks were cut to {bytes} bytes.',
    es: '{count} observaciones se recortaron a {bytes} bytes.',
  },
  offset_rounded: {
    en: 'The zero line of "{label}" lies between two steps and was rounded; WFDB has only whole ones.',
    es: 'La línea cero de «{label}» queda entre dos pasos y se redondeó; WFDB solo tiene pasos enteros.',
  },
  samples_only: {
    en: 'CSV holds samples alone; left out: {list}.',
    es: 'CSV solo contiene muestras; se omitió: {list}.',
  },
  scale_implausible: {
    en: 'The header states a scale for "{label}" that cannot be; its amplitudes are not measured.',
    es: 'La cabecera indica para «{label}» una escala que no puede ser; sus amplitudes no se miden.',
  },
  gains_contradict: {
    en: 'The gains that the file states for its leads contradict each other; stored values are read as microvolts.',
    es: 'Las ganancias que el archivo indica para sus derivaciones se contradicen; los valores guardados se leen como microvoltios.',
  },
  'gains_contradict.unknown_step': {
    en: 'The gains that the file states for its leads contradict each other; amplitudes are not measured.',
    es: 'Las ganancias que el archivo indica para sus derivaciones se contradicen; las amplitudes no se miden.',
  },
  limb_leads_contradict: {
    en: "The limb leads contradict each other (Einthoven's law): check their names, gains and electrodes. Axes are not measured.",
    es: 'Las derivaciones de los miembros se contradicen (ley de Einthoven): compruebe nombres, ganancias y electrodos. Los ejes no se miden.',
  },
  unit_missing: {
    en: 'The file states no unit for "{label}"; its amplitudes are not measured.',
    es: 'El archivo no indica la unidad de «{label}»; sus amplitudes no se miden.',
  },
  'scale_unknown.stream': {
    en: 'The stream stated no scale, and its numbers are no millivolts of a heart; amplitudes are not measured.',
    es: 'La transmisión no indicó escala y sus números no son milivoltios de un corazón; las amplitudes no se miden.',
  },
  'scale_unknown.device': {
    en: 'The gain of the device is assumed; amplitudes are not measured until it is calibrated.',
    es: 'La ganancia del dispositivo es supuesta; las amplitudes no se miden hasta que se calibre.',
  },
  birth_date_no_day: {
    en: 'The date of birth "{stated}" is no day.',
    es: 'La fecha de nacimiento «{stated}» no existe.',
  },
  sex_unknown: {
    en: 'The sex "{stated}" is not known.',
    es: 'El sexo «{stated}» no se conoce.',
  },
  height_no_number: {
    en: 'The height "{stated}" is no number of centimetres.',
    es: 'La estatura «{stated}» no es un número de centímetros.',
  },
  weight_no_number: {
    en: 'The weight "{stated}" is no number of kilograms.',
    es: 'El peso «{stated}» no es un número de kilogramos.',
  },
  letters_suspicious: {
    en: 'Some letters cannot be right: choose the character set of the practice system.',
    es: 'Hay letras que no pueden ser correctas: elija el juego de caracteres del programa de la consulta.',
  },
  line_lengths: {
    en: 'The length of {count} lines is not what they say.',
    es: 'La longitud de {count} líneas no es la que indican.',
  },
} as const satisfies Record<string, WarningText>;

export type WarningName = keyof typeof WARNING_TEXTS;
