// Starts the page: text, bridge, screens. Where the bridge is lost it is made again, and the screens say so
// meanwhile.

// First of all: the way to the workstation is opened while the rest is still being read.
import { firstConnection } from './bridge/first-connection.ts';

import './theme/mantine.css';
import './theme/tokens.css';
import './theme/scripts.css';
import './theme/base.css';
import { Button, MantineProvider } from '@mantine/core';
import { setNonce } from 'get-nonce';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import type { Bridge } from '../shared/bridge/contract.ts';
import { App } from './app.tsx';
import { connectBridge, isSeatPage } from './bridge/connect.ts';
import { isOutdated } from './bridge/is-outdated.ts';
import { BridgeProvider } from './bridge/use-bridge.tsx';
import { OrNotShown } from './parts/not-shown.tsx';
import { loadText } from './text/text.ts';
import { cssVariables, theme } from './theme/theme.ts';
import { installTrustedTypes, styleNonce } from './trusted-types.ts';

const RECONNECT_MS = 1000;

type Stage =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly bridge: Bridge }
  | { readonly kind: 'lost' }
  | { readonly kind: 'refused' };

function Notice({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="notice" role="status">
      {children}
    </div>
  );
}

function Page(): ReactNode {
  const { t } = useTranslation();
  const [stage, setStage] = useState<Stage>({ kind: 'connecting' });
  const connect = useCallback(async (wasOpen: boolean, isFirst = false): Promise<void> => {
    try {
      if (wasOpen && (await isOutdated())) return location.reload();
      const { bridge, onLost } = await (isFirst ? firstConnection : connectBridge());
      onLost(() => {
        setStage({ kind: 'lost' });
        setTimeout(() => void connect(true), RECONNECT_MS);
      });
      setStage({ kind: 'open', bridge });
    } catch {
      // Refused or not there: a page that was open keeps trying, a new one needs a new link.
      if (wasOpen) setTimeout(() => void connect(true), RECONNECT_MS);
      else setStage({ kind: 'refused' });
    }
  }, []);
  useEffect(() => void connect(false, true), [connect]);

  switch (stage.kind) {
    case 'open':
      return (
        <BridgeProvider bridge={stage.bridge}>
          <OrNotShown>
            <App />
          </OrNotShown>
        </BridgeProvider>
      );
    case 'connecting':
      return <Notice>{t('app.connecting')}</Notice>;
    case 'lost':
      return (
        <Notice>
          <p>{t('app.lost')}</p>
          <p>{t(isSeatPage ? 'app.lostSeatRemedy' : 'app.lostRemedy')}</p>
        </Notice>
      );
    case 'refused':
      return (
        <Notice>
          <h1>{t(isSeatPage ? 'app.refusedSeat' : 'app.refused')}</h1>
          <p>{t(isSeatPage ? 'app.refusedSeatRemedy' : 'app.refusedRemedy')}</p>
          <Button size="md" onClick={() => void connect(false)}>
            {t('app.tryAgain')}
          </Button>
        </Notice>
      );
  }
}

installTrustedTypes();
const nonce = styleNonce();
setNonce(nonce);
await loadText();
createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <Page />
  </MantineProvider>,
);
