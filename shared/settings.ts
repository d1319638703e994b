// The one table of everything that can be set: default, range, meaning. Stored values, `--set` of the command
// line and the settings screen are all checked against it, and nothing else in the program holds a default.

import { CHARACTER_SET_CHOICES } from './character-set.ts';
import { DATE_ORDERS } from './entry/typed-date.ts';
import { IsolineError } from './errors.ts';
import { FIRST_START_PATTERN } from './first-start.ts';
import { LANGUAGES, type Language } from './language.ts';

interface NumberSetting {
  readonly kind: 'number';
  readonly initial: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly meaning: string;
}

interface SwitchSetting {
  readonly kind: 'switch';
  readonly initial: boolean;
  readonly meaning: string;
}

interface ChoiceSetting<C extends string = string> {
  readonly kind: 'choice';
  readonly initial: C;
  readonly choices: readonly C[];
  readonly meaning: string;
}

interface TextSetting {
  readonly kind: 'text';
  /** What it may be, and how that is said. */
  readonly form?: { readonly pattern: RegExp; readonly words: string };
  readonly initial: string;
  readonly meaning: string;
}

const MAX_TEXT_LENGTH = 1024;
const LEAD = '(?:I|II|III|aV[RLF]|V[1-6])';
const RHYTHM_LEADS = new RegExp(`^(?:${LEAD}(?:, ?${LEAD}){0,2})?$`);

const number = (initial: number, minimum: number, maximum: number, meaning: string): NumberSetting => ({
  kind: 'number',
  initial,
  minimum,
  maximum,
  meaning,
});
const onOff = (initial: boolean, meaning: string): SwitchSetting => ({ kind: 'switch', initial, meaning });
const choice = <C extends string>(
  initial: NoInfer<C>,
  choices: readonly C[],
  meaning: string,
): ChoiceSetting<C> => ({
  kind: 'choice',
  initial,
  choices,
  meaning,
});

const text = (initial: string, meaning: string, form?: TextSetting['form']): TextSetting => ({
  kind: 'text',
  initial,
  meaning,
  ...(form !== undefined && { form }),
});

export const SETTINGS = {
  'service.host': text(
    '127.0.0.1',
    'Address the /v3 service listens on; anything but loopback requires service.tls.',
  ),
  'service.port': number(8137, 0, 65_535, 'Port of the /v3 service; 0 for any free port.'),
  'service.tls': choice<'off' | 'self-signed' | 'files'>(
    'off',
    ['off', 'self-signed', 'files'],
    'Encryption of the /v3 service: off, with a certificate that Isoline creates, or with your own files.',
  ),
  'service.tlsCertificate': text('', 'Certificate file (PEM), for service.tls = files.'),
  'service.tlsKey': text('', 'Key file of the certificate (PEM), for service.tls = files.'),
  'service.hostNames': text(
    '',
    'Other names and addresses of this computer on the network, or of a proxy in front of it, separated by commas.',
  ),
  'service.rate.enabled': onOff(true, 'Rate limits of the /v3 service (D32).'),
  'service.rate.tokenPerSecond': number(
    100,
    0,
    1e6,
    'Requests per second and token, except frames and chunks; bursts may be four times as large. 0 = off.',
  ),
  'service.rate.dataPerSecond': number(
    1000,
    0,
    1e6,
    'Frames and chunks per second and token; bursts may be four times as large. 0 = off.',
  ),
  'service.rate.addressPerSecond': number(
    2000,
    0,
    1e6,
    'Requests per second and address; bursts may be four times as large. 0 = off.',
  ),
  'service.rate.refusedPerMinute': number(
    30,
    0,
    1e6,
    'Requests per minute and address that may end in 401 before every request without a valid token gets 429. 0 = off.',
  ),
  'service.extensions': onOff(true, 'Operations of Isoline in addition to /v3, under /ext/v1.'),
  'seats.on': onOff(false, 'Let other computers and tablets of the clinic work here (seats).'),
  'seats.host': text('0.0.0.0', 'Address of this computer at which seats come in; 0.0.0.0 for all.', {
    pattern: /^[A-Za-z0-9._:-]{1,253}$/,
    words: 'an address of this computer, or 0.0.0.0',
  }),
  'seats.port': number(8139, 0, 65_535, 'Port for seats; 0 for any free port.'),
  'uploads.maxSize': number(4_294_967_295, 1, 4_294_967_295, 'Largest upload, in bytes.'),
  'uploads.maxChunk': number(67_108_864, 1, 1_073_741_824, 'Largest chunk of an upload, in bytes.'),
  'uploads.maxOpen': number(100, 1, 10_000, 'Open uploads per organization.'),
  'uploads.lifeDays': number(7, 1, 365, 'Days before an unfinished or unused upload is deleted.'),
  'streams.maxFrame': number(4_194_304, 1024, 67_108_864, 'Largest frame of a stream, in bytes.'),
  'streams.idleHours': number(24, 1, 8760, 'Hours without a frame or heartbeat before a stream is ended.'),
  'devices.autoStart': onOff(
    false,
    'Start a waiting network device ten seconds after it reports that it is waiting.',
  ),
  'devices.autoConnect': onOff(true, 'Detect ECG devices automatically when they are plugged in.'),
  'devices.wrongRate': choice<'correct' | 'refuse'>(
    'correct',
    ['correct', 'refuse'],
    'A device that does not keep its declared sampling rate: record with the measured rate, or record emergencies only.',
  ),
  'recorder.frameMs': number(500, 250, 1000, 'Length of a stored frame, in milliseconds.'),
  'recorder.rollOverHours': number(
    24,
    1,
    839,
    'Hours after which a recording continues in a new task, without a gap.',
  ),
  'security.idleMinutes': number(10, 1, 60, 'Minutes without activity before the user is signed out.'),
  'security.pinMinutes': number(
    0,
    0,
    60,
    'Minutes for which a PIN that was typed to approve a report approves others too; 0: each needs it.',
  ),
  'start.steps': text('', 'What the first start has asked; empty where it is not shown.', {
    pattern: FIRST_START_PATTERN,
    words: 'the steps of the first start, "open" or "done" before them',
  }),
  'clinic.country': text('', 'Country of the clinic, as two letters (ISO 3166-1).', {
    pattern: /^(?:[A-Z]{2})?$/,
    words: 'two capital letters, such as DE',
  }),
  'storage.reserve': number(2_147_483_648, 0, 1e15, 'Disk space that uploads must leave free, in bytes.'),
  'storage.retentionYears': number(
    10,
    0,
    100,
    'Years during which a recording with a report cannot be deleted.',
  ),
  'storage.minorsUntilAge': number(
    28,
    0,
    100,
    'Age until which recordings with a report of patients under 18 cannot be deleted; 0 = no rule of their own.',
  ),
  'backup.folder': text(
    '',
    'Folder for daily backups, on another disk or a share; empty for none. Set it up on the settings screen.',
  ),
  'backup.warnDays': number(3, 1, 365, 'Days without a good backup before a warning is shown.'),
  'updates.server': text(
    '',
    'Address of the folder with new versions, looked at once a day; empty: Isoline looks nowhere.',
    { pattern: /^$|^https?:\/\/[^\s@?#]+$/, words: 'an address such as https://clinic.example/isoline' },
  ),
  'analysis.workers': number(
    0,
    0,
    64,
    'Worker threads for reading, analysis and reports, at least two; 0 = one per processor.',
  ),
  'analysis.suspicions': onOff(
    false,
    'Also report possible Wellens, de Winter, Brugada and hyperkalaemia patterns.',
  ),
  'analysis.timeLimitSeconds': number(
    600,
    10,
    86_400,
    'Seconds without progress before an analysis is stopped.',
  ),
  'orders.folder': text(
    '',
    'Folder where the practice system puts its orders (GDT 6302, HL7 or text tables); empty for none.',
  ),
  'orders.characterSet': choice(
    'auto',
    CHARACTER_SET_CHOICES,
    'Character set of the orders; auto: as the file states.',
  ),
  'orders.dateOrder': choice('dayFirst', DATE_ORDERS, 'Order of day and month in ambiguous dates.'),
  'orders.afterReading': choice<'keep' | 'move' | 'delete'>(
    'keep',
    ['keep', 'move', 'delete'],
    'What to do with an order file after reading it: keep it, move it to the folder "read", or delete it.',
  ),
  'orders.resultFolder': text(
    '',
    'Folder for the result of an order: GDT 6310 with the report beside it; empty for none.',
  ),
  'sync.when': choice<'approved' | 'analysed' | 'recorded'>(
    'approved',
    ['approved', 'analysed', 'recorded'],
    'When to send a recording to the central service; it cannot be changed there afterwards.',
  ),
  'sync.way': choice<'auto' | 'stream' | 'upload'>(
    'auto',
    ['auto', 'stream', 'upload'],
    'How to send device recordings: as a stream or as a file; auto: as a stream if a test has shown that it works.',
  ),
  'sync.autoComplete': onOff(false, 'Ask the central service for a report without a physician’s review.'),
  'sync.live': onOff(false, 'Send a recording while it is running, if its patient is confirmed.'),
  'sync.obey': onOff(false, 'Let the central service start and stop the device at this workstation.'),
  'sync.kbps': number(0, 0, 1e7, 'Upload limit in kilobits per second; 0 = no limit.'),
  'sync.proxy': text('', 'Proxy for the central service, such as http://proxy:3128; empty for none.', {
    // A name and a password would stand in the database, and in the audit.
    pattern: /^$|^https?:\/\/[^\s@/]+\/?$/,
    words: 'an address such as http://proxy:3128, without name and password',
  }),
  'sync.unknownCreate': choice<'ask' | 'resend'>(
    'ask',
    ['ask', 'resend'],
    'If it is unknown whether a task was created there: ask a person, or send again and risk a second examination.',
  ),
  'sync.simulated': onOff(false, 'Also send simulated recordings.'),
  'dicom.title': text('ISOLINE', 'What archives and worklists call this workstation (AE title).', {
    pattern: /^[\x21-\x5b\x5d-\x7e]{1,16}$/,
    words: '1 to 16 letters, digits or symbols without spaces, such as ISOLINE',
  }),
  'dicom.port': number(11_112, 1, 65_535, 'Port at which archives say what they keep.'),
  'hl7.application': text('ISOLINE', 'What HL7 messages call this workstation (sending application).', {
    pattern: /^[\x20-\x7e]{0,64}$/,
    words: 'up to 64 letters, digits or symbols',
  }),
  'hl7.facility': text('', 'What HL7 messages call the clinic (sending facility).', {
    pattern: /^[\x20-\x7e]{0,64}$/,
    words: 'up to 64 letters, digits or symbols',
  }),
  'hl7.host': text('127.0.0.1', 'Address at which orders come in by HL7; 0.0.0.0 for all.', {
    pattern: /^[A-Za-z0-9._:-]{1,253}$/,
    words: 'an address of this computer, or 0.0.0.0',
  }),
  'hl7.port': number(0, 0, 65_535, 'Port at which orders come in by HL7 (MLLP), often 2575; 0 = none.'),
  'hl7.tls': onOff(false, 'Encrypt the port for HL7, with the certificate of the service.'),
  'worklist.host': text('', 'Address of the hospital’s worklist (DICOM); empty for none.', {
    pattern: /^[A-Za-z0-9._:-]{0,253}$/,
    words: 'a name or a number, such as 10.0.4.20',
  }),
  'worklist.port': number(104, 1, 65_535, 'Port of the worklist.'),
  'worklist.title': text('WORKLIST', 'What the worklist is called (AE title).', {
    pattern: /^[\x21-\x5b\x5d-\x7e]{1,16}$/,
    words: '1 to 16 letters, digits or symbols without spaces',
  }),
  'worklist.tls': onOff(false, 'Encrypt the connection to the worklist.'),
  'worklist.modality': choice<'ECG' | 'any'>(
    'ECG',
    ['ECG', 'any'],
    'Which examinations to ask the worklist for: ECGs, or all that are for this workstation.',
  ),
  'display.electrodeCode': choice<'IEC' | 'AHA'>(
    'IEC',
    ['IEC', 'AHA'],
    'Labels and colours of electrodes: IEC (R, L, F, N, C1 …) or AHA (RA, LA, LL, RL, V1 …).',
  ),
  'display.mainsFilter': choice<'off' | '50' | '60'>(
    'off',
    ['off', '50', '60'],
    'Mains filter for the live picture, in hertz; what is stored is never filtered.',
  ),
  'report.language': choice<Language>('en', Object.keys(LANGUAGES) as Language[], 'Language of the reports.'),
  'report.paper': choice<'A4' | 'Letter'>(
    'A4',
    ['A4', 'Letter'],
    'Paper size of the reports; content and scale are the same.',
  ),
  'report.clinic': text('', 'Name of the clinic in the header of the reports, with its address if you like.'),
  'report.logo': text('', 'Logo in the header of the reports; it is chosen on the settings screen.', {
    pattern: /^(?:[0-9a-f]{64})?$/,
    words: 'a logo that was chosen on the settings screen, or nothing',
  }),
  'report.twelveLeads': choice<'3x4' | '6x2'>(
    '3x4',
    ['3x4', '6x2'],
    'Twelve leads on the report: three rows of four with rhythm strips, or six rows of two.',
  ),
  'report.rhythmLeads': text('II, V1, V5', 'Rhythm strips below three rows of four, as many as have room.', {
    pattern: RHYTHM_LEADS,
    words: 'up to three of the twelve leads, such as II, V1, V5',
  }),
  'report.recording': onOff(false, 'Attach the recording (EDF+) and the result (JSON) to reports.'),
} as const satisfies Record<string, NumberSetting | SwitchSetting | ChoiceSetting | TextSetting>;

export type SettingKey = keyof typeof SETTINGS;

type ValueOf<S> = S extends { kind: 'number' }
  ? number
  : S extends { kind: 'switch' }
    ? boolean
    : S extends { choices: readonly (infer C)[] }
      ? C
      : S extends { kind: 'text' }
        ? string
        : never;

export type Settings = { readonly [K in SettingKey]: ValueOf<(typeof SETTINGS)[K]> };

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

function assertSettingKey(key: string): asserts key is SettingKey {
  if (!Object.hasOwn(SETTINGS, key))
    throw new IsolineError(
      'unknown_setting',
      `There is no setting "${key}". "isoline settings list" shows all of them.`,
    );
}

/** A value written as text, checked against the table. */
export function parseSetting(key: string, text: string): number | boolean | string {
  assertSettingKey(key);
  const setting: NumberSetting | SwitchSetting | ChoiceSetting | TextSetting = SETTINGS[key];
  if (setting.kind === 'switch') {
    if (text === 'true' || text === 'on') return true;
    if (text === 'false' || text === 'off') return false;
    throw new IsolineError('invalid_setting', `"${key}" takes true or false.`);
  }
  if (setting.kind === 'text') {
    const typed = text.trim();
    if (setting.form !== undefined && !setting.form.pattern.test(typed))
      throw new IsolineError('invalid_setting', `"${key}" takes ${setting.form.words}.`);
    if (text.length <= MAX_TEXT_LENGTH && !text.includes('\0')) return typed;
    throw new IsolineError('invalid_setting', `"${key}" takes up to ${MAX_TEXT_LENGTH} characters.`);
  }
  if (setting.kind === 'choice') {
    if (setting.choices.includes(text)) return text;
    throw new IsolineError('invalid_setting', `"${key}" takes one of: ${setting.choices.join(', ')}.`);
  }
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isSafeInteger(value) && value >= setting.minimum && value <= setting.maximum) return value;
  throw new IsolineError(
    'invalid_setting',
    `"${key}" takes a whole number from ${setting.minimum} to ${setting.maximum}.`,
  );
}

/** All values: the defaults, overlaid by the layers in turn (stored, then of the command line). */
export function resolveSettings(...layers: readonly ReadonlyMap<string, string>[]): Settings {
  const values: Record<string, number | boolean | string> = {};
  for (const key of SETTING_KEYS) values[key] = SETTINGS[key].initial;
  for (const layer of layers) for (const [key, text] of layer) values[key] = parseSetting(key, text);
  return values as unknown as Settings;
}
