// Why a file that lies beside recordings is not taken, and whether a recording may have been missed with it.

import { isLitter } from '../../../formats/archive/member-name.ts';
import type { RecordFile } from '../../../formats/byte-source.ts';
import { otherContent } from '../../../formats/content.ts';
import { rateNotStated } from '../../../formats/read-record.ts';
import { readUntimedTable } from '../../../formats/tables/untimed-table.ts';

export interface LeftOut {
  readonly message: string;
  /** It is one that cannot be read, or may hold some. */
  readonly isMissed: boolean;
  /** It is read as soon as somebody says its rate. */
  readonly isUntimedTable: boolean;
}

/** Endings that nothing but recordings have. */
const RECORDING_ENDING = /\.(edf|bdf|scp|dcm|hea|ecg)$/i;

/** @param file one that no reader takes */
export function leftOut(file: RecordFile): LeftOut {
  if (isLitter(file.name))
    return { message: 'The operating system keeps it.', isMissed: false, isUntimedTable: false };
  const { reason, sentence } = otherContent(file);
  const isUntimedTable = reason === 'unsupported_format' && readUntimedTable(file.source) !== undefined;
  return {
    message: isUntimedTable ? rateNotStated().message : sentence,
    // Nobody has looked into archives of other kinds.
    isMissed: RECORDING_ENDING.test(file.name) || reason === 'archive_format_unsupported',
    isUntimedTable,
  };
}
