// The networks of the folds, each of which has not seen a fifth of the records (training/README.md).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WaveNetwork } from '../../main/analysis/waves/wave-network.ts';
import { dataFolder } from '../support/test-data.ts';

const FOLDS = 5;
const networks = new Map<number, WaveNetwork>();

/** @param index of the record among those of its database that the network was trained with, in the order of their names */
export function networkWithout(index: number): WaveNetwork {
  const fold = index % FOLDS;
  const network =
    networks.get(fold) ?? new WaveNetwork(readFileSync(join(dataFolder, 'wave-folds', `fold-${fold}.bin`)));
  networks.set(fold, network);
  return network;
}
