// What people said of lists of channels, one row a list.

import type { ChannelChoice } from '../../../shared/signal/channel-choice.ts';
import type { ChannelChoiceStore } from '../../clinic/tasks/store.ts';
import type { Db } from '../database/database.ts';

export function channelChoiceStore(db: Db): ChannelChoiceStore {
  const of = db
    .prepare<[number, string], string>(
      'SELECT choice FROM channel_choice WHERE organization_id = ? AND channels_key = ?',
    )
    .pluck();
  const put = db.prepare(
    'INSERT OR REPLACE INTO channel_choice (organization_id, channels_key, choice, made_ms) VALUES (?, ?, ?, ?)',
  );
  return {
    of(organizationId, channelsKey) {
      const text = of.get(organizationId, channelsKey);
      return text === undefined ? undefined : (JSON.parse(text) as ChannelChoice);
    },
    put: (organizationId, channelsKey, choice, nowMs) =>
      void put.run(organizationId, channelsKey, JSON.stringify(choice), nowMs),
  };
}
