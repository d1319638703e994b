// What the recorder on the main thread asks; no page can.

import type { RecorderCall } from '../../../shared/bridge/contract.ts';
import type { HandlersOf } from '../../../shared/bridge/server.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import { deskEntryOf } from './desk-entry.ts';

export function recorderHandlers({
  context,
  desk,
  seats,
  sessions,
  centralCommands,
}: Clinic): HandlersOf<RecorderCall> {
  return {
    'recorder.begin': async ({ sampleRateHz, leadCodes, scale, entry: said, ...start }) => {
      const entry = said === undefined ? undefined : deskEntryOf(said, context.clock.nowMs());
      return {
        taskId: await desk.begin({ ...start, entry, parameters: { sampleRateHz, leadCodes, scale } }),
      };
    },
    'recorder.append': async ({ taskId, timestampUs, bytes, events }) => {
      await desk.append(taskId, timestampUs, bytes, events);
      return centralCommands.isToStop(taskId) ? { isToStop: true } : {};
    },
    'recorder.finish': async ({ taskId, ...end }) => {
      await desk.finish(taskId, end);
      return {};
    },
    'recorder.actor': async ({ session }) => ({ actor: sessions.actor(session, 'anybody') }),
    'recorder.discard': async ({ taskId, isTaskOurs }) => {
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
    'recorder.remember': async (device) => {
      await desk.remember(device);
      return {};
    },
  };
}
