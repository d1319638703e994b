// The phrases of whoever reads, and saying one of them.

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NewPhrase, Phrase } from '../../../../shared/review/phrases.ts';
import { useBridgeQuery } from '../../../bridge/use-bridge.tsx';
import { shownLanguage } from '../../../text/text.ts';
import type { Correcting } from '../use-reading.ts';
import { against, normalEcg, saying } from './said-phrase.ts';

export interface Phrases {
  /** The reader's own. */
  readonly own: readonly Phrase[];
  /** Not where the program could not judge, or of a recording so long that no key should. */
  readonly normal: NewPhrase | undefined;
  /** One that somebody has to give a reason for. */
  readonly asked: NewPhrase | undefined;
  /** Said at once where nothing stands against it. */
  say(phrase: NewPhrase): void;
  sayBecause(reason: string): void;
  putAway(): void;
}

/** @param isLong of a day a key does not say that it is normal */
export function usePhrases({ reading, mayCorrect, correct }: Correcting, isLong: boolean): Phrases {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('phrase.list', {}, { isEnabled: mayCorrect });
  const [asked, setAsked] = useState<NewPhrase>();
  const sayIt = (phrase: NewPhrase, reason: string): void => {
    if (reading === undefined) return;
    const says = saying(phrase, reading, shownLanguage(), reason, Date.now());
    correct({ kind: 'phrase', name: phrase.name, says });
  };
  return {
    own: data?.phrases ?? [],
    normal: isLong || reading?.severity === undefined ? undefined : normalEcg(t('review.phrase.normal')),
    asked,
    say(phrase) {
      if (reading === undefined || !mayCorrect) return;
      if (against(phrase, reading).length > 0) setAsked(phrase);
      else sayIt(phrase, '');
    },
    sayBecause(reason) {
      if (asked !== undefined) sayIt(asked, reason);
      setAsked(undefined);
    },
    putAway: () => setAsked(undefined),
  };
}
