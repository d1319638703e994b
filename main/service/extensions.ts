// What this program offers beside the interface (D110), for its own kind and for clients that want to go on
// instead of starting over.

import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { given } from '../../shared/given.ts';
import { AS_NAMED, type ChosenChannel, chosenLead, NO_PLACE } from '../../shared/signal/channel-choice.ts';
import type { LeadCode } from '../../shared/signal/lead.ts';
import { type ChannelFacts, ChannelsRequest, DownloadRequest, MAX_SHOWN_RANGES } from '../../shared/v3/v3.ts';
import type { Clinic } from '../clinic/clinic.ts';
import type { ChannelsView } from '../clinic/ports.ts';
import { DOWNLOAD_CHUNK_BYTES } from '../clinic/tasks/downloads.ts';
import { bodyReader } from './json-body.ts';
import { parsePathId } from './parameters.ts';
import { serve } from './route.ts';

type Taken = ChannelsView['channels'][number];

const asTaken = ({ label, isUsed }: Taken): ChosenChannel => ({ label, ...(isUsed && { as: AS_NAMED }) });

function channelFacts(channel: Taken, chosen: ChosenChannel): Static<typeof ChannelFacts> {
  const { label, unit, rateHz, kind } = channel;
  const used = chosen.as !== undefined;
  return {
    label,
    unit,
    sample_rate: rateHz,
    kind,
    used,
    ...(used && { lead_code: chosenLead(chosen, channel) ?? NO_PLACE }),
    ...given({
      turned: chosen.isTurned,
      microvolts_per_unit: chosen.uvPerUnit,
      samples_per_second: chosen.rateHz,
    }),
  };
}

/** A lead that the program sees itself keeps its sign and its electrodes (`-aVR`, `MLII`): what was answered can be sent back. */
const chosenChannel = (
  {
    label,
    used,
    lead_code,
    turned,
    microvolts_per_unit,
    samples_per_second,
  }: Static<typeof ChannelsRequest>['channels'][number],
  own: LeadCode | undefined,
): ChosenChannel => ({
  label,
  ...(used && {
    as: lead_code === undefined || lead_code === own ? AS_NAMED : lead_code,
    ...given({ isTurned: turned, uvPerUnit: microvolts_per_unit, rateHz: samples_per_second }),
  }),
});

export function extensionRoutes(app: FastifyInstance, clinic: Clinic): void {
  const downloadRequest = bodyReader(DownloadRequest);
  const channelsRequest = bodyReader(ChannelsRequest);

  serve(app, 'about', async () => ({
    product: 'isoline' as const,
    version: clinic.context.productVersion,
    installation_id: clinic.context.store.installationId,
  }));

  serve(app, 'uploadFacts', async ({ params, token }) => {
    const { upload_id = '' } = params;
    const { state, totalSizeBytes, ranges, expiresMs } = clinic.uploads.facts(
      token.organizationId,
      upload_id,
    );
    return {
      upload_id,
      total_size: totalSizeBytes,
      state,
      received: ranges.slice(0, MAX_SHOWN_RANGES).map(([start, end]): [number, number] => [start, end]),
      received_bytes: ranges.reduce((sum, [start, end]) => sum + end - start, 0),
      expires_at: new Date(expiresMs).toISOString(),
    };
  });

  serve(app, 'taskChannels', async ({ params, token }) => {
    const taskId = parsePathId(params.task_id, 'invalid_task_id');
    const { channels, choice } = await clinic.channelChoices.of(token.organizationId, taskId);
    return {
      chosen: choice !== undefined,
      channels: channels.map((channel, i) => channelFacts(channel, choice?.[i] ?? asTaken(channel))),
    };
  });

  serve(app, 'chooseChannels', async ({ params, request, token, actor }) => {
    const taskId = parsePathId(params.task_id, 'invalid_task_id');
    const { channels, for_same = false } = await channelsRequest.read(request);
    const { channels: taken } = await clinic.channelChoices.of(token.organizationId, taskId);
    const choice = channels.map((channel, i) => chosenChannel(channel, taken[i]?.lead));
    await clinic.channelChoices.choose(token.organizationId, taskId, { choice, isForSame: for_same }, actor);
    return undefined;
  });

  serve(app, 'createDownload', async ({ request, token, actor }) => {
    const { task_id, kind } = await downloadRequest.read(request);
    const { id, totalSizeBytes, sha256 } = await clinic.downloads.create(
      token.organizationId,
      task_id,
      kind,
      actor,
    );
    return {
      download_id: id,
      total_size: totalSizeBytes,
      chunk_size: DOWNLOAD_CHUNK_BYTES,
      hash_sum: Buffer.from(sha256, 'hex').toString('base64'),
    };
  });
}
