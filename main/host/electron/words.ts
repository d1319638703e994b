// What the program says outside of its pages, in the language of the computer. The catalogues of the screens are the pages'
// own.

export interface HostWords {
  readonly file: string;
  readonly edit: string;
  readonly view: string;
  readonly go: string;
  readonly help: string;
  readonly places: Readonly<Record<'patient' | 'live' | 'worklist' | 'review' | 'sync' | 'settings', string>>;
  readonly guide: string;
  readonly open: string;
  readonly quit: string;
  readonly ready: string;
  readonly recording: string;
  readonly endQuestion: string;
  readonly endDetail: string;
  readonly goOnRecording: string;
  readonly endRecording: string;
  readonly bluetoothQuestion: string;
  readonly cancel: string;
}

const ENGLISH: HostWords = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  go: 'Go',
  help: 'Help',
  places: {
    patient: 'Patient',
    live: 'Live leads',
    worklist: 'Worklist',
    review: 'Review',
    sync: 'Sync',
    settings: 'Settings',
  },
  guide: 'User guide',
  open: 'Open Isoline',
  quit: 'Quit Isoline',
  ready: 'Isoline: ready',
  recording: 'Isoline: recording',
  endQuestion: 'A recording is running. End it?',
  endDetail: 'What is recorded so far is kept and analysed.',
  goOnRecording: 'Keep recording',
  endRecording: 'End recording and quit',
  bluetoothQuestion: 'Which device is on this patient?',
  cancel: 'Cancel',
};

const SPANISH: HostWords = {
  file: 'Archivo',
  edit: 'Edición',
  view: 'Ver',
  go: 'Ir',
  help: 'Ayuda',
  places: {
    patient: 'Paciente',
    live: 'En vivo',
    worklist: 'Lista de trabajo',
    review: 'Revisión',
    sync: 'Sincronizar',
    settings: 'Ajustes',
  },
  guide: 'Guía del usuario',
  open: 'Abrir Isoline',
  quit: 'Salir de Isoline',
  ready: 'Isoline: listo',
  recording: 'Isoline: grabando',
  endQuestion: 'Hay un registro en curso. ¿Terminarlo?',
  endDetail: 'Lo grabado hasta ahora se conserva y se analiza.',
  goOnRecording: 'Seguir grabando',
  endRecording: 'Terminar el registro y salir',
  bluetoothQuestion: '¿Qué dispositivo lleva este paciente?',
  cancel: 'Cancelar',
};

/** @param locale of the computer, such as `es-MX` */
export const wordsFor = (locale: string): HostWords => (/^es\b/.test(locale) ? SPANISH : ENGLISH);
