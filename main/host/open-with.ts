// Hands files that somebody opened with the program to the clinic thread, which alone touches the disk.

import { BridgeClient } from '../../shared/bridge/client.ts';
import type { Workstation } from './workstation.ts';

const MOST_FILES = 1000;
const LONGEST_PATH = 4096;

/**
 * What is no path that a system knows is passed by.
 * @param args paths, or the arguments of a command line
 * @param folder that relative ones begin at
 */
export async function openWith(
  workstation: Pick<Workstation, 'connect'>,
  args: readonly string[],
  folder: string,
): Promise<void> {
  const paths = args.filter(({ length }) => length <= LONGEST_PATH).slice(-MOST_FILES);
  const port = workstation.connect('recorder');
  try {
    await new BridgeClient(port).call('recorder.openFiles', { args: paths, folder });
  } finally {
    port.close();
  }
}
