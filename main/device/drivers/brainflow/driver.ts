// Any board that BrainFlow records, streamed by it through the network ("Streaming Board" of its documentation).

import type { Driver, Variant } from '../../driver.ts';
import { BRAINFLOW_BOARDS, type BrainFlowBoard } from './boards.ts';
import { BrainFlowParser } from './parser.ts';

const boardOf = ({ id }: Variant): BrainFlowBoard =>
  BRAINFLOW_BOARDS.find(({ variant }) => variant.id === id) ?? (BRAINFLOW_BOARDS[0] as BrainFlowBoard);

export const BRAINFLOW: Driver = {
  id: 'brainflow',
  name: 'BrainFlow',
  adapters: [],
  bauds: [115_200],
  variants: BRAINFLOW_BOARDS.map(({ variant }) => variant),
  confirmPackets: 20,
  port: { dtr: false, rts: false, settleMs: 0 },
  start: () => [],
  stop: [],
  maxSilenceMs: 2000,
  createParser: (variant) => new BrainFlowParser(boardOf(variant)),
};
