// The formats in which a screen gives out a recording; the command line writes more.

export const EXPORT_FORMATS = ['edf', 'wfdb', 'csv', 'flac'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
