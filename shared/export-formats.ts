// What a screen gives out of a recording that has ended; the command line writes more.

/** The signal, for another program. */
export const SIGNAL_FORMATS = ['edf', 'wfdb', 'dicom', 'aecg', 'scp', 'csv', 'flac'] as const;
export type SignalFormat = (typeof SIGNAL_FORMATS)[number];

/** What was found: for a practice system (GDT 6310), every beat on paper (PDF), all of it for a program (JSON). */
export const FINDING_FORMATS = ['gdt', 'everyBeat', 'json'] as const;
export type FindingFormat = (typeof FINDING_FORMATS)[number];

export const EXPORT_FORMATS = [...SIGNAL_FORMATS, ...FINDING_FORMATS] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const isSignalFormat = (format: ExportFormat): format is SignalFormat =>
  (SIGNAL_FORMATS as readonly string[]).includes(format);
