// The devices at this workstation: answered where they are, on the main thread.

import { Type } from 'typebox';
import { RecordingEntry } from '../../entry/recording-entry.ts';
import { LEAD_CODES } from '../../signal/lead.ts';
import { bytes, Choice, closed, deskId, none, taskId, text } from '../fields.ts';
import { DeskDevice, InterruptedRecording, MOST_DEVICE_NAME } from '../views.ts';
import type { Operation } from './operation.ts';

const MAX_DURATION_MS = 35 * 86_400_000;

export const DESK_QUERIES = {
  'desk.list': {
    input: none,
    output: Type.Object({ devices: Type.Array(DeskDevice) }, closed),
    right: 'anybody',
  },
  'desk.drivers': {
    input: none,
    output: Type.Object(
      {
        drivers: Type.Array(Type.Object({ ...Choice.properties, variants: Type.Array(Choice) }, closed)),
        rhythms: Type.Array(Type.String()),
        /** What BrainFlow can stream. */
        brainFlowBoards: Type.Array(Choice),
      },
      closed,
    ),
    right: 'signedIn',
  },
  /** What a text device sends: its last lines and columns. @throws `device_not_ready` for other devices */
  'desk.columns': {
    input: Type.Object({ id: deskId }, closed),
    output: Type.Object(
      {
        /** The last ones, each in its fields. */
        lines: Type.Array(Type.Array(Type.String())),
        columns: Type.Array(
          Type.Object(
            {
              name: Type.String(),
              isTime: Type.Boolean(),
              isFlat: Type.Boolean(),
              /** Absent where no heartbeats are seen. */
              beatsPerMinute: Type.Optional(Type.Number()),
              /** The largest wave of the beats points down. */
              isDownward: Type.Optional(Type.Boolean()),
              /** A few seconds, as in `channels.of`. */
              columns: bytes,
              /** What `desk.chooseLeads` takes so that this column is that lead. */
              leadSets: Type.Array(
                Type.Object(
                  { id: text(64), lead: Type.Enum([...LEAD_CODES]), isTurned: Type.Boolean() },
                  closed,
                ),
              ),
            },
            closed,
          ),
        ),
        /** The lead set that is used. */
        leadSet: Type.Optional(text(64)),
      },
      closed,
    ),
    right: 'signedIn',
  },
  'desk.interrupted': {
    input: none,
    output: Type.Object({ recordings: Type.Array(InterruptedRecording) }, closed),
    right: 'signedIn',
  },
} as const satisfies Record<string, Operation>;

export const DESK_COMMANDS = {
  /** Looks for streams of other programs on the network (Lab Streaming Layer). */
  'desk.streams': {
    input: Type.Object(
      {
        /** One computer; absent: all of the network. */
        host: Type.Optional(text(253)),
      },
      closed,
    ),
    output: Type.Object(
      {
        streams: Type.Array(
          Type.Object(
            {
              /** What `desk.connect` takes. */
              port: text(1024),
              name: Type.String(),
              type: Type.String(),
              channels: Type.Integer(),
              rateHz: Type.Number(),
              hostname: Type.String(),
              address: Type.String(),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    right: 'signedIn',
    isDeskOnly: true,
  },
  /** The port of a device in the list, one that is typed, or the simulator (`simulator:…`). */
  'desk.connect': {
    input: Type.Object(
      {
        port: text(1024),
        driver: Type.Optional(text(64)),
        variant: Type.Optional(text(64)),
        leadSet: Type.Optional(text(64)),
      },
      closed,
    ),
    output: Type.Object({ id: deskId }, closed),
    right: 'signedIn',
    isDeskOnly: true,
  },
  /** This page has a Bluetooth device: what it notifies comes with `desk.fillPipe`, what goes to it as `desk.pipe`. Returns with its signal. Needs sign-in unless the device is awaited already. */
  'desk.openPipe': {
    input: Type.Object({ driver: text(64), deviceName: text(248) }, closed),
    output: Type.Object({ id: deskId }, closed),
    right: 'anybody',
  },
  /** Needs no sign-in: a recording goes on while nobody is. */
  'desk.fillPipe': {
    input: Type.Object({ port: text(1024), bytes }, closed),
    output: none,
    right: 'anybody',
  },
  'desk.closePipe': { input: Type.Object({ port: text(1024) }, closed), output: none, right: 'anybody' },
  'desk.disconnect': {
    input: Type.Object({ id: deskId }, closed),
    output: none,
    right: 'signedIn',
    isDeskOnly: true,
  },
  'desk.chooseLeads': {
    input: Type.Object({ id: deskId, leadSet: text(64) }, closed),
    output: none,
    right: 'signedIn',
    isDeskOnly: true,
  },
  /** What the clinic calls it; an empty name takes the own one away. */
  'desk.rename': {
    input: Type.Object({ id: deskId, name: text(MOST_DEVICE_NAME) }, closed),
    output: none,
    right: 'signedIn',
    isDeskOnly: true,
  },
  /** Needs no sign-in: an emergency does not wait for a PIN. */
  'desk.record': {
    input: Type.Object(
      {
        id: deskId,
        /** Absent while the patient is unknown. */
        entry: Type.Optional(RecordingEntry),
        /** The seconds before, as far as they are there. */
        withPast: Type.Optional(Type.Boolean()),
        durationMs: Type.Optional(Type.Integer({ minimum: 10_000, maximum: MAX_DURATION_MS })),
      },
      closed,
    ),
    output: Type.Object({ taskId }, closed),
    right: 'anybody',
  },
  /** Needs no sign-in: a recording can always be stopped. */
  'desk.stop': {
    input: Type.Object({ id: deskId }, closed),
    output: Type.Object({ taskId }, closed),
    right: 'anybody',
  },
  /** The last ten seconds, as a recording of its own. */
  'desk.saveLast': {
    input: Type.Object({ id: deskId, entry: Type.Optional(RecordingEntry) }, closed),
    output: Type.Object({ taskId }, closed),
    right: 'signedIn',
  },
  /** Another patient is on the couch, confirmed at this page: the kept signal belongs to the last one. */
  'desk.forgetPast': { input: none, output: none, right: 'signedIn' },
  'desk.mark': { input: Type.Object({ id: deskId }, closed), output: none, right: 'signedIn' },
} as const satisfies Record<string, Operation>;
