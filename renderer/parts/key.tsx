// The key of a command, as a hint on its button.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type CommandName, printedKeyOf } from './commands.ts';

/** A key, or several, as they are printed; the one without a letter has a name in each language. */
export function KeyCap({ printed }: { printed: string }): ReactNode {
  const { t } = useTranslation();
  return <kbd>{printed === 'Space' ? t('keys.space') : printed}</kbd>;
}

export function Key({ of }: { of: CommandName }): ReactNode {
  return <KeyCap printed={printedKeyOf(of)} />;
}
