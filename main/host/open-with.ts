// Hands files that somebody opened with the program to the clinic thread, which alone touches the disk.

import { BridgeClient } from '../../shared/bridge/client.ts';
import type { Workstation } from './workstation.ts';

/**
 * @param args paths, or the arguments of a command line
 * @param folder that relative ones begin at
 */
export async function openWith(
  workstation: Pick<Workstation, 'connect'>,
  args: readonly string[],
  folder: string,
): Promise<void> {
  const port = workstation.connect('recorder');
  try {
    await new BridgeClient(port).call('recorder.openFiles', { args: [...args], folder });
  } finally {
    port.close();
  }
}
