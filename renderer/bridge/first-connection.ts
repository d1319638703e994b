// The page's first way to the workstation, begun as soon as this is read.

import { connectBridge } from './connect.ts';

export const firstConnection = connectBridge();
// Who uses it hears of it.
firstConnection.catch(() => undefined);
