// Real-time streams: D70 to D82.

import type { FastifyInstance } from 'fastify';
import { UNKNOWN_DEVICE_COMMAND, UNKNOWN_DEVICE_STATE } from '../../shared/device-state.ts';
import { IsolineError } from '../../shared/errors.ts';
import { FindRequest, ParamsRequest, StartRequest } from '../../shared/v3/v3.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { bodyReader, requireNoForm } from './json-body.ts';
import { parsePathId, parseQueryNumber } from './parameters.ts';
import { declaredLength, readBody } from './request-body.ts';
import { serve } from './route.ts';
import { streamStartOf } from './stream-start.ts';

/** The longest body that means nothing (D14). */
const MAX_IGNORED_BYTES = 1024;

export function streamRoutes(app: FastifyInstance, clinic: Clinic): void {
  const findRequest = bodyReader(FindRequest);
  const startRequest = bodyReader(StartRequest);
  const paramsRequest = bodyReader(ParamsRequest);
  const streamIdOf = (params: Readonly<Record<string, string>>): number =>
    parsePathId(params.stream_id, 'invalid_stream_id');

  serve(app, 'findStream', async ({ request, token }) => {
    const { device_id } = await findRequest.read(request);
    if (device_id.trim() === '')
      throw new IsolineError('invalid_device_id', 'The field "device_id" is blank.');
    return { stream_id: clinic.streams.find(token.organizationId, device_id) };
  });

  serve(app, 'startStream', async ({ request, token, actor }) => ({
    stream_id: await clinic.streams.start(
      token.organizationId,
      streamStartOf(await startRequest.read(request)),
      actor,
    ),
  }));

  serve(app, 'appendFrame', async ({ request, params, query, token, actor }) => {
    const streamId = streamIdOf(params);
    const timestampUs = parseQueryNumber(query.timestamp, 'timestamp', 'invalid_timestamp');
    requireNoForm(request.sentType);
    clinic.streams.requireOpen(token.organizationId, streamId);
    const limit = clinic.context.settings()['streams.maxFrame'];
    const tooLarge = (): IsolineError =>
      new IsolineError('frame_too_large', `A frame can have at most ${limit} bytes.`);
    if ((declaredLength(request) ?? 0) > limit) throw tooLarge();
    await clinic.streams.append(
      token.organizationId,
      streamId,
      timestampUs,
      await readBody(request, limit, tooLarge),
      actor,
    );
    return undefined;
  });

  serve(app, 'finishStream', async ({ request, params, token, actor }) => {
    const streamId = streamIdOf(params);
    clinic.streams.requireOpen(token.organizationId, streamId);
    await readBody(
      request,
      MAX_IGNORED_BYTES,
      () => new IsolineError('body_too_large', 'This operation takes no body.'),
    );
    await clinic.streams.finish(token.organizationId, streamId, actor);
    return undefined;
  });

  serve(app, 'streamParams', async ({ params, token }) => {
    const { state, command, durationMs } = await clinic.streams.params(
      token.organizationId,
      streamIdOf(params),
    );
    return {
      device_state: state ?? UNKNOWN_DEVICE_STATE,
      device_command: command ?? UNKNOWN_DEVICE_COMMAND,
      ...(durationMs !== undefined && { custom_duration: Math.floor(durationMs) }),
    };
  });

  serve(app, 'reportParams', async ({ request, params, token }) => {
    const streamId = streamIdOf(params);
    const { device_state } = await paramsRequest.read(request);
    await clinic.streams.report(token.organizationId, streamId, device_state);
    return undefined;
  });
}
