// Which channels of recordings are ECG: lists of labels as public collections, devices and clinics name them, each with what must be taken for
// an ECG and by which lead. Nothing else of a list may be.

import { describe, expect, test } from 'vitest';
import { judgeChannels } from '../../../../main/signal/channels/judge-channels.ts';
import { identifyChannel } from '../../../../shared/signal/channel-identity.ts';
import { leadName } from '../../../../shared/signal/lead.ts';
import { CHANNEL_LISTS } from './channel-lists.ts';

/** `ECG1` where a channel is used and has no name, `II=II` where it has one. */
function used(labels: readonly string[]): string[] {
  const channels = labels.map((label) => ({
    ...identifyChannel(label, 'uV'),
    rate: { samples: 200, seconds: 1 },
  }));
  return judgeChannels(channels).flatMap(({ isUsed, lead }, i) =>
    isUsed ? [lead === undefined ? (labels[i] as string) : `${labels[i]}=${leadName(lead.code)}`] : [],
  );
}

describe('of each list, the ECG alone is used, by its right name', () => {
  test.each(CHANNEL_LISTS.map((list) => [list.source, list] as const))('%s', (_, { labels, ecg }) => {
    expect(used(labels.split('|'))).toEqual(ecg === '' ? [] : ecg.split('|'));
  });

  test('there are 200 of them, and no two are the same', () => {
    expect(CHANNEL_LISTS.length).toBeGreaterThanOrEqual(200);
    expect(new Set(CHANNEL_LISTS.map(({ labels }) => labels)).size).toBe(CHANNEL_LISTS.length);
  });
});
