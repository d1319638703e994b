// A file that a report carries.

export interface ReportFile {
  readonly name: string;
  readonly type: string;
  readonly relation: 'Source' | 'Data';
  readonly bytes: Uint8Array;
}
