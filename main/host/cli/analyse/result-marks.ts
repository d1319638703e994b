// A result as annotations in the MIT format, so that other programs can score it (formats reference, section 2.4).

import type { AnalysisResult } from '../../../../shared/analysis-result.ts';
import { markBytes, type WfdbMark } from '../../../formats/wfdb/write-wfdb-annotations.ts';

/** Names of rhythms in the MIT format; what it has no name for keeps ours. */
const RHYTHMS: Readonly<Record<string, string>> = { ST: 'N', VF: 'VFL' };

/** What is told over the base rhythm, the last one above the others. */
const OVER_BASE = ['AFIB', 'UNK', 'SVTA', 'VT', 'VF', 'ASYS'];

/** What annotations are made from. */
export interface Annotated {
  readonly recording: Pick<AnalysisResult['recording'], 'sampleRateHz'>;
  readonly beats: readonly Pick<AnalysisResult['beats'][number], 'sample' | 'label'>[];
  readonly rhythms: AnalysisResult['rhythms'];
}

/** Where the rhythm changes, and to which. */
function rhythmChanges({ rhythms }: Annotated): { sample: number; code: string }[] {
  const told = rhythms.filter(({ code }) => code !== 'PAUSE');
  const layer = (code: string): number => OVER_BASE.indexOf(code);
  const places = [...new Set(told.flatMap(({ startSample, endSample }) => [startSample, endSample]))];
  const changes: { sample: number; code: string }[] = [];
  for (const sample of places.sort((a, b) => a - b)) {
    const here = told.filter(({ startSample, endSample }) => startSample <= sample && sample < endSample);
    const top = here.sort((a, b) => layer(b.code) - layer(a.code))[0];
    if (top !== undefined && changes.at(-1)?.code !== top.code) changes.push({ sample, code: top.code });
  }
  return changes;
}

/**
 * Beats by their classes, changes of rhythm as `+` with a name.
 * @param isOneRate the leads have one rate; else the file states that of the analysis
 */
export function resultAnnotations(result: Annotated, isOneRate: boolean): Uint8Array {
  const beats: WfdbMark[] = result.beats.map(({ sample, label }) => ({ sample, symbol: label }));
  const rhythms: WfdbMark[] = rhythmChanges(result).map(({ sample, code }) => ({
    sample,
    symbol: '+',
    text: `(${RHYTHMS[code] ?? code}`,
  }));
  const marks = [...rhythms, ...beats].sort((a, b) => a.sample - b.sample);
  return markBytes(marks, isOneRate ? undefined : result.recording.sampleRateHz);
}
