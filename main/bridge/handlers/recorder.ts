// What the recorder on the main thread asks; no page can.

import type { RecorderCall } from '../../../shared/bridge/contract.ts';
import type { HandlersOf } from '../../../shared/bridge/server.ts';
import type { RecordingEntry } from '../../../shared/entry/recording-entry.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import { deskEntryOf } from './desk-entry.ts';

/** Orders are numbered by their folder. */
function withoutOrder({ orderId: _order, ...entry }: RecordingEntry): RecordingEntry {
  return entry;
}

export function recorderHandlers({
  context,
  desk,
  seats,
  sessions,
  centralCommands,
}: Clinic): HandlersOf<RecorderCall> {
  /** @throws IsolineError `folder_changed` where the recording is in another folder, whatever has its number here */
  const requireFolder = (folder: string): void => {
    if (folder !== context.store.installationId)
      throw new IsolineError(
        'folder_changed',
        'The recording lies in the database that is damaged. Record again.',
      );
  };
  return {
    'recorder.begin': async ({
      sampleRateHz,
      leadCodes,
      scale,
      entry: said,
      continues,
      folder,
      ...start
    }) => {
      const { installationId } = context.store;
      const isElsewhere = folder !== undefined && folder !== installationId;
      const entry = said && deskEntryOf(isElsewhere ? withoutOrder(said) : said, context.clock.nowMs());
      const parameters = { sampleRateHz, leadCodes, scale };
      const from = isElsewhere ? {} : { continues };
      return { taskId: await desk.begin({ ...start, ...from, entry, parameters }), folder: installationId };
    },
    'recorder.append': async ({ taskId, folder, timestampUs, bytes, events }) => {
      requireFolder(folder);
      await desk.append(taskId, timestampUs, bytes, events);
      return centralCommands.isToStop(taskId) ? { isToStop: true } : {};
    },
    'recorder.finish': async ({ taskId, folder, ...end }) => {
      requireFolder(folder);
      await desk.finish(taskId, end);
      return {};
    },
    'recorder.actor': async ({ session }) => ({ actor: sessions.actor(session, 'anybody') }),
    'recorder.discard': async ({ taskId, folder, isTaskOurs }) => {
      requireFolder(folder);
      await desk.discardEmpty(taskId, isTaskOurs);
      return {};
    },
    'recorder.openFiles': async ({ args, folder }) => {
      await context.openedFiles.add(args, folder);
      context.publish('opened.changed', {});
      return {};
    },
    'recorder.lockAll': async () => {
      seats.lockDesk();
      return {};
    },
    'recorder.requireSignedIn': async ({ session, needsAccount }) => {
      sessions.callerOf(session, { right: 'signedIn', ...(needsAccount === true && { needsAccount }) });
      return {};
    },
    'recorder.open': async () => ({ recordings: desk.open() }),
    'recorder.space': async () => ({ freeBytes: await desk.freeBytes() }),
    'recorder.known': async ({ identity }) => {
      const device = desk.known(identity);
      return device === undefined ? {} : { device };
    },
    'recorder.deviceNames': async () => ({ names: desk.names() }),
    'recorder.nameDevice': async ({ identity, name, session }) => {
      await desk.setName(identity, name === '' ? undefined : name, sessions.actor(session, 'signedIn'));
      return {};
    },
    'recorder.remember': async (device) => {
      await desk.remember(device);
      return {};
    },
  };
}
