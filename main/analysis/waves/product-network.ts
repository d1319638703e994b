// The network that the program comes with.

import { WaveNetwork } from './wave-network.ts';
import { WAVE_WEIGHTS } from './wave-weights.ts';

let own: WaveNetwork | undefined;

/** Made when it is first asked for. */
export function productNetwork(): WaveNetwork {
  own ??= new WaveNetwork(WAVE_WEIGHTS);
  return own;
}
