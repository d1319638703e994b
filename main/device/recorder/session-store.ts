// Puts a recording into the clinic: begins its stream, adds frames, closes it. Asks again as long as the
// clinic can't decide.

import type { CallInput } from '../../../shared/bridge/contract.ts';
import type { RecordingNotice } from '../../../shared/bridge/views.ts';
import { IsolineError, type Reason } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import type { RecordedDevice } from '../../../shared/signal/stream-file.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import { STORAGE_REASONS } from '../../ground/storage-fault.ts';
import type { LeadScale } from '../link/lead-maker.ts';
import type { ClinicConnection } from './clinic-connection.ts';
import { type BuiltFrame, eventsLaterBy, firstSampleOf, laterBy } from './frame-builder.ts';
import type { Session } from './session.ts';

export interface SessionStoreOptions {
  readonly clinic: ClinicConnection;
  readonly scale: LeadScale;
  /** The device as it is now. */
  device(): RecordedDevice;
  /** Nothing is asked again after this. */
  readonly signal: AbortSignal;
  tell(notice: RecordingNotice): void;
  /** The central service wants the recording to end, and is obeyed. */
  onStopAsked(session: Session): void;
}

const isReason = (error: unknown, reason: Reason): boolean =>
  error instanceof IsolineError && error.reason === reason;

/** The task that was asked for, a new one for somebody, or one more of the same patient. */
function forWhom({
  request: { taskId, session },
  entry,
  previous,
  taskId: present,
  folder,
}: Session): Partial<CallInput<'recorder.begin'>> {
  // What goes on was allowed when it began, whoever sits at the page by now. Where its folder is not the one that is
  // open any more, it is known by name alone.
  if (present !== undefined) return { continues: present, ...given({ folder, entry }) };
  const asker = session === undefined ? {} : { session };
  if (previous?.taskId !== undefined)
    return {
      continues: previous.taskId,
      ...given({ folder: previous.folder, entry }),
      ...asker,
    };
  return { ...(taskId !== undefined && { taskId }), ...(entry !== undefined && { entry }), ...asker };
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10;

/** The recording as a whole is not where it was. */
const NOT_THERE: readonly Reason[] = ['stream_not_found', 'folder_changed'];

export class SessionStore {
  readonly #options: SessionStoreOptions;

  constructor(options: SessionStoreOptions) {
    this.#options = options;
  }

  #hinder = (reason: Reason): void => {
    if (reason !== 'storage_busy' && STORAGE_REASONS.includes(reason)) this.#options.tell('storeFull');
    else if (reason === 'bridge_closed') this.#options.tell('storeRestarted');
  };

  #ms(samples: number): number {
    return (1000 * samples) / this.#options.scale.rateHz;
  }

  async begin(session: Session): Promise<void> {
    const { clinic, scale, device, signal } = this.#options;
    const { leadCodes, rateHz, lsbUv, digitalMinimum, digitalMaximum } = scale;
    const { taskId, folder } = await clinic.callPatiently(
      'recorder.begin',
      {
        ...forWhom(session),
        sampleRateHz: rateHz,
        leadCodes: [...leadCodes],
        scale: {
          digitalMinimum,
          digitalMaximum,
          physicalMinimumMv: (digitalMinimum * lsbUv) / 1000,
          physicalMaximumMv: (digitalMaximum * lsbUv) / 1000,
        },
        device: device(),
        startedMs: Math.round(session.startedMs + this.#ms(session.laterBy)),
      },
      signal,
      this.#hinder,
    );
    session.begin(taskId, folder);
  }

  /**
   * @returns whether the frame is on the disk. @throws IsolineError where the recording as a whole is refused
   */
  async add(session: Session, frame: BuiltFrame): Promise<boolean> {
    try {
      await this.#append(session, frame).catch(async (error: unknown) => {
        const isElsewhere = isReason(error, 'folder_changed');
        if (!isElsewhere && !isReason(error, 'stream_not_found')) throw error;
        // What lies in a damaged database is not told as stored.
        if (isElsewhere) session.recordedSamples = 0;
        await this.#goOnInAnother(session, frame);
        await this.#append(session, frame);
      });
    } catch (error) {
      if (!(error instanceof IsolineError) || NOT_THERE.includes(error.reason)) throw error;
      const isStored = error.reason === 'frame_already_exists' && error.detail.isSame === true;
      // Stored by a try whose answer was lost, or not to be stored at all: said, counted, and a gap in the
      // recording.
      if (!isStored) {
        session.refused++;
        session.refusal = error.message;
        session.builder.dropped(frame);
        this.#options.tell('storeFull');
        return false;
      }
    }
    session.recordedSamples += frame.samples;
    session.bytes += frame.bytes.length;
    if (session.isStopAsked) this.#options.onStopAsked(session);
    return true;
  }

  async #append(session: Session, frame: BuiltFrame): Promise<void> {
    const { clinic, scale, signal } = this.#options;
    const { timestampUs, bytes, events } = laterBy(session.laterBy, frame, scale.rateHz);
    // What is sent may be moved to the other thread, and the frame may have to be sent again.
    const message = {
      taskId: session.taskId as number,
      folder: session.folder ?? '',
      timestampUs,
      bytes: bytes.slice(),
      events: [...events],
    };
    const { isToStop } = await clinic.callPatiently('recorder.append', message, signal, this.#hinder);
    if (isToStop === true) session.isStopAsked = true;
  }

  /**
   * Somebody ended the recording while frames of it were waiting: these and what comes are the next task's.
   */
  async #goOnInAnother(session: Session, frame: BuiltFrame): Promise<void> {
    session.laterBy = firstSampleOf(frame, this.#options.scale.rateHz);
    await this.begin(session);
    session.warnings.push(warning('continued.elsewhere'));
  }

  async close(session: Session, device: RecordedDevice): Promise<void> {
    const { clinic, signal } = this.#options;
    const { refused, refusal, warnings, recordedSamples, stoppedBy } = session;
    const taskId = session.taskId as number;
    const { folder = '' } = session;
    // What no frame took along, gaps of refused frames among it.
    const events = eventsLaterBy(session.laterBy, session.builder.takeEvents());
    const loss = session.lossOf(this.#options.scale.rateHz);
    if (loss !== undefined)
      warnings.push(
        warning('signal_lost', {
          stored: seconds(this.#ms(recordedSamples)),
          lost: seconds(loss.lostMs),
          longest: seconds(loss.longestMs),
        }),
      );
    if (refused > 0) warnings.push(warning('frames_refused', { count: refused, reason: refusal }));
    if (recordedSamples === 0)
      await clinic.callPatiently(
        'recorder.discard',
        { taskId, folder, isTaskOurs: session.request.taskId === undefined },
        signal,
        this.#hinder,
      );
    else
      await clinic
        .callPatiently(
          'recorder.finish',
          { taskId, folder, device, events, warnings, ...given({ actor: await stoppedBy }) },
          signal,
          this.#hinder,
        )
        .catch((error: unknown) => {
          // Finished by a try whose answer was lost.
          if (!isReason(error, 'stream_not_found')) throw error;
        });
    const { lost, samples } = session.builder;
    session.ended.resolve({
      taskId,
      recordedMs: this.#ms(recordedSamples),
      recordedSamples: samples,
      lostSamples: lost,
    });
  }
}
