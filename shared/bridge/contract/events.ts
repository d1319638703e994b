// What the workstation tells its pages.

import { type TSchema, Type } from 'typebox';
import { AnalysisProgressSchema } from '../../analysis-stage.ts';
import { LiveFindings } from '../../signal/live/live-findings.ts';
import { bytes, closed, deskId, taskId, text } from '../fields.ts';
import { TaskRow } from '../views.ts';

export const EVENTS = {
  /**
   * Something about the named task, or about any task where none is named, is new. Whoever may see the worklist
   * gets its row with it; a task that is gone has none.
   */
  'task.changed': Type.Object({ taskId: Type.Optional(taskId), row: Type.Optional(TaskRow) }, closed),
  /** Somebody corrected its findings. */
  'review.changed': Type.Object({ taskId }, closed),
  /** A reader has kept or removed a phrase. */
  'phrase.changed': Type.Object({}, closed),
  /** A reader has asked another, or one of the two has answered or closed a question. */
  'consultation.changed': Type.Object({}, closed),
  /** Somebody said which channels of its recording are ECG: its signal is read otherwise from now on. */
  'channels.changed': Type.Object({ taskId }, closed),
  /** The analysis of a task is further. */
  'task.stage': Type.Object({ taskId, progress: AnalysisProgressSchema }, closed),
  /** An order came, or what is known of the folder is new. */
  'order.changed': Type.Object({}, closed),
  /** Something on its way to a central service is further, or the way there is another. */
  'sync.changed': Type.Object({}, closed),
  /** Somebody signed in somewhere, was signed out, or has an account now. */
  'session.changed': Type.Object({}, closed),
  /** A seat was added, is used, or is none any more; or the way to them is another. */
  'seat.changed': Type.Object({}, closed),
  /** A backup began, is further, or has ended. */
  'backup.changed': Type.Object({}, closed),
  /** A new version was found, is further, or could not be had. */
  'update.changed': Type.Object({}, closed),
  /** How far a file is that the installer fetches. */
  'installer.progress': Type.Object({ done: Type.Number(), of: Type.Number() }, closed),
  /** Somebody opened files with the program, or they were taken. */
  'opened.changed': Type.Object({}, closed),
  /** The list of devices on the desk is new. */
  'desk.changed': Type.Object({}, closed),
  /** Some milliseconds of a device's leads: `shared/bridge/sample-message.ts`. */
  'desk.samples': Type.Object({ id: deskId, bytes }, closed),
  /** What the live analysis says, a few times a second. */
  'desk.live': LiveFindings,
  /** What goes to a Bluetooth device, for the page that has it; nothing where the page is to let go of it. */
  'desk.pipe': Type.Object({ port: text(1024), bytes }, closed),
} as const satisfies Record<string, TSchema>;
