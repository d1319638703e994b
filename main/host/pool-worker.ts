// Entry of a pool worker. A default export is what the pool library calls.

import { answer } from './pool-jobs.ts';

export default answer;
