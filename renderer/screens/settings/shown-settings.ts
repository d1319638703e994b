// The settings of a data folder that the screen shows, by group. Each has its words in both catalogues, under `settings.name`,
// `settings.effect` and, for choices, `settings.choice`, with `_` for the dots of its key.

import type { SettingKey } from '../../../shared/settings.ts';

export const SHOWN_SETTINGS = {
  recording: [
    'display.electrodeCode',
    'display.mainsFilter',
    'devices.autoConnect',
    'devices.wrongRate',
    'recorder.rollOverHours',
  ],
  report: [
    'report.clinic',
    'report.language',
    'report.paper',
    'report.twelveLeads',
    'report.rhythmLeads',
    'report.recording',
  ],
  orders: [
    'orders.folder',
    'orders.characterSet',
    'orders.dateOrder',
    'orders.afterReading',
    'orders.resultFolder',
  ],
  hospital: [
    'dicom.title',
    'dicom.port',
    'worklist.host',
    'worklist.port',
    'worklist.title',
    'worklist.tls',
    'worklist.modality',
    'hl7.application',
    'hl7.facility',
    'hl7.host',
    'hl7.port',
    'hl7.tls',
  ],
  storage: [
    'backup.warnDays',
    'storage.retentionYears',
    'storage.minorsUntilAge',
    'security.idleMinutes',
    'security.pinMinutes',
  ],
  sync: [
    'sync.when',
    'sync.way',
    'sync.autoComplete',
    'sync.live',
    'sync.obey',
    'sync.unknownCreate',
    'sync.kbps',
    'sync.proxy',
    'sync.simulated',
  ],
  seats: ['seats.on', 'seats.port', 'seats.host'],
  updates: ['updates.server'],
  service: ['service.host', 'service.port', 'service.tls', 'service.hostNames', 'devices.autoStart'],
} as const satisfies Record<string, readonly SettingKey[]>;
