// What the whole program says of one-lead strips that it was not trained with: the check pile of CinC 2017, weighed by the natural mixture
// of that database.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { analyse } from '../../main/analysis/analyse.ts';
import { recordingFrom, shelfFolder } from '../support/test-data.ts';
import { isChecked } from './piles.ts';
import { secondCorpus } from './second-corpus.ts';
import { byFifths, type Figure } from './tables.ts';

/** Normal, atrial fibrillation, another rhythm, noise. */
const MIXTURE: Readonly<Record<string, number>> = { N: 5076, A: 758, O: 2415, '~': 279 };

const FIBRILLATION = /^RHY-(AFIB|AFL|AFIBEPI|AFIBPART)$/;
const SINUS = /^RHY-(SINUS|SBRADY|STACHY)$/;
const VENTRICULAR = /^ECT-(PVC|PVCFREQ|COUPLET|BIGEM|TRIGEM|INTERP)$/;

interface Told {
  readonly label: string;
  readonly isFibrillation: boolean;
  readonly isSinus: boolean;
  readonly hasVentricularBeats: boolean;
}

function tellCheckPile(): Told[] {
  const folders = [
    shelfFolder('corpus/cinc2017') as string,
    join(secondCorpus('cinc2017') as string, 'cinc2017'),
  ];
  return folders.flatMap((folder) =>
    (parse(readFileSync(join(folder, 'labels.csv')), { columns: true }) as Record<string, string>[])
      .filter(({ record = '' }) => isChecked('cinc2017', record))
      .map(({ record, label, codes }): Told => {
        const { statements } = analyse(recordingFrom(join(folder, `${record}.hea`)));
        const says = (which: RegExp): boolean => statements.some(({ code }) => which.test(code));
        return {
          label: label ?? codes ?? '',
          isFibrillation: says(FIBRILLATION),
          isSinus: says(SINUS),
          hasVentricularBeats: says(VENTRICULAR),
        };
      }),
  );
}

type Says = (told: Told) => boolean;

/** Weighed by the mixture. */
function f1Of(some: readonly Told[], wanted: string, isSaid: Says): number {
  const sum = (isIt: Says): number =>
    Object.entries(MIXTURE).reduce((total, [label, count]) => {
      const own = some.filter((told) => told.label === label);
      return total + (own.length === 0 ? 0 : (count * own.filter(isIt).length) / own.length);
    }, 0);
  return (
    (2 * sum((told) => told.label === wanted && isSaid(told))) /
    (sum(({ label }) => label === wanted) + sum(isSaid))
  );
}

const shareOf = (some: readonly Told[], label: string, isSaid: Says): number => {
  const own = some.filter((told) => told.label === label);
  return own.filter(isSaid).length / own.length;
};

export function oneLeadFigures(floors: Readonly<Record<string, number>>): Figure[] {
  const told = tellCheckPile();
  const figures: Readonly<Record<string, (some: readonly Told[]) => number>> = {
    'AF F1': (some) => f1Of(some, 'A', ({ isFibrillation }) => isFibrillation),
    'Sinus named in normal strips': (some) => shareOf(some, 'N', ({ isSinus }) => isSinus),
    'AF not called sinus': (some) => 1 - shareOf(some, 'A', ({ isSinus }) => isSinus),
    'Normal strips without ventricular beats': (some) =>
      1 - shareOf(some, 'N', ({ hasVentricularBeats }) => hasVentricularBeats),
  };
  return Object.entries(figures).map(([name, figure]) => ({
    name,
    value: figure(told),
    floor: floors[name] ?? 0,
    spread: byFifths(told, (some) => figure([...some])),
  }));
}
