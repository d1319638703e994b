// Entry of a pool worker. A default export is what the pool library calls.

import { setPriority } from 'node:os';
import { answer } from './jobs.ts';

const BEHIND_OTHERS = 10;

// Frames that arrive go before files that are read. Linux alone takes this for the calling thread; elsewhere
// it would slow down the whole program.
if (process.platform === 'linux') setPriority(0, BEHIND_OTHERS);

export default answer;
