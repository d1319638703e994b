// The clinic's logo: chosen as a picture, redrawn in the size that the report has room for, so that nothing else of the
// file is kept.

import { Button, FileButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LOGO_MOST_HEIGHT, LOGO_MOST_WIDTH } from '../../../shared/report-logo.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { SettingRow } from './setting-row.tsx';
import classes from './settings.module.css';

/** On white, as the paper is. @throws where the file is no picture that this program can draw */
async function drawnLogo(file: Blob): Promise<Uint8Array> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    // An SVG may have no size of its own: it fills what there is.
    const [width, height] = [image.naturalWidth || LOGO_MOST_WIDTH, image.naturalHeight || LOGO_MOST_HEIGHT];
    const isDrawing = file.type === 'image/svg+xml';
    const fit = Math.min(LOGO_MOST_WIDTH / width, LOGO_MOST_HEIGHT / height);
    const scale = isDrawing ? fit : Math.min(1, fit);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (blob === null) throw new Error('the picture could not be drawn');
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(url);
  }
}

function usePicture(png: Uint8Array | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (png === undefined) return;
    const made = URL.createObjectURL(new Blob([Uint8Array.from(png)], { type: 'image/png' }));
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [png]);
  return url;
}

export function LogoRow(): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const { data } = useBridgeQuery('setting.logo', {});
  const picture = usePicture(data?.png);
  const change = useCommand('setting.changeLogo');
  const queries = useQueryClient();
  const [isUnreadable, setUnreadable] = useState(false);
  const send = async (png: Uint8Array | undefined): Promise<void> => {
    await change.run(png === undefined ? {} : { png });
    await queries.invalidateQueries({ queryKey: ['setting.logo'] });
  };
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return;
    setUnreadable(false);
    const png = await drawnLogo(file).catch(() => undefined);
    if (png === undefined) setUnreadable(true);
    else await send(png);
  };
  const trouble = isUnreadable ? t('settings.logo.unreadable') : change.trouble;
  return (
    <>
      <SettingRow title={t('settings.logo.title')} effect={t('settings.logo.effect')}>
        {picture !== undefined && (
          <img className={classes.logo} src={picture} alt={t('settings.logo.title')} />
        )}
        {may('settings') && (
          <>
            <FileButton accept="image/png,image/jpeg,image/svg+xml" onChange={(file) => void choose(file)}>
              {(props) => (
                <Button {...props} h={44} variant="default" loading={change.isRunning}>
                  {t('settings.logo.choose')}
                </Button>
              )}
            </FileButton>
            {picture !== undefined && (
              <Button h={44} variant="default" onClick={() => void send(undefined)}>
                {t('settings.logo.remove')}
              </Button>
            )}
          </>
        )}
      </SettingRow>
      {trouble !== undefined && (
        <p role="alert" className={classes.rowTrouble}>
          {trouble}
        </p>
      )}
    </>
  );
}
