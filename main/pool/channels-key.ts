// What recordings with the same list of channels have in common: those of one device, or of one laboratory.

import { createHash } from 'node:crypto';
import type { Channel } from '../../shared/signal/recording.ts';

export const channelsKey = (channels: readonly Pick<Channel, 'label' | 'unit'>[]): string =>
  createHash('sha256')
    .update(JSON.stringify(channels.map(({ label, unit }) => [label, unit])))
    .digest('hex');
