// Which device is worked with: the chosen one as long as it is there, else what is recorded, else what is ready.

import type { DeskDevice } from '../../shared/bridge/views.ts';

const WANTED = ['recording', 'lost', 'ready', 'detecting'] as const;

export function deviceToShow(
  devices: readonly DeskDevice[] | undefined,
  chosenId: string | undefined,
): DeskDevice | undefined {
  const isRecorded = ({ recording }: DeskDevice): boolean =>
    recording !== undefined && !recording.isFinishing;
  return (
    devices?.find(({ id, state }) => id === chosenId && state !== 'disconnected') ??
    devices?.find(isRecorded) ??
    WANTED.map((state) => devices?.find((each) => each.state === state)).find(
      (found) => found !== undefined,
    ) ??
    devices?.find(({ trouble }) => trouble !== undefined)
  );
}
