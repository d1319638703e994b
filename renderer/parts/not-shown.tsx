// Takes the place of what could not be shown: a part of the program that did not load, or a fault of ours. The rest
// of the page stays, so that a recording can be seen and ended.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useTranslation } from 'react-i18next';
import { useCommands } from './use-keys.ts';

const toLiveLeads = (): void => {
  location.hash = '#/live';
};

/** Only reloading the page helps: a browser may remember that a part did not load. */
function NotShown(): ReactNode {
  const { t } = useTranslation();
  // The patient's screen takes this key for itself, and may be what is missing.
  useCommands('everywhere', { toLive: toLiveLeads });
  return (
    <div className="notice" role="alert">
      <h1>{t('app.notShown')}</h1>
      <p>{t('app.notShownRemedy')}</p>
      <Button size="md" onClick={() => location.reload()}>
        {t('app.reload')}
      </Button>
    </div>
  );
}

interface OrNotShownProps {
  /** What is shown; once it is something else, that is tried. */
  readonly of?: unknown;
  readonly children: ReactNode;
}

export function OrNotShown({ of, children }: OrNotShownProps): ReactNode {
  return (
    <ErrorBoundary FallbackComponent={NotShown} resetKeys={[of]}>
      {children}
    </ErrorBoundary>
  );
}
