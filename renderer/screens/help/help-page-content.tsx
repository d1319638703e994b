// One page of the help: a guide with its pictures, the licences, or the text for support.

import { Button } from '@mantine/core';
import Markdown from 'markdown-to-jsx/react';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../parts/save-file.ts';
import { type HelpPage, LICENCES, linkedGuide, pictureUrl, SUPPORT } from './guides.ts';
import classes from './help.module.css';

/** Other files of the sources are not part of the program. */
function GuideLink({ href = '', children }: ComponentProps<'a'>): ReactNode {
  const guide = linkedGuide(href);
  return guide === undefined ? <span>{children}</span> : <a href={`#/help/${guide}`}>{children}</a>;
}

function Picture({ src = '', alt }: ComponentProps<'img'>): ReactNode {
  const url = pictureUrl(src);
  return url === undefined ? null : (
    <span className={classes.picture}>
      <img src={url} alt={alt ?? ''} loading="lazy" />
      <span className="quiet" aria-hidden="true">
        {alt}
      </span>
    </span>
  );
}

const OVERRIDES = { a: GuideLink, img: Picture };

/** Read before it is saved or sent: that nothing of a patient is in it can be seen. */
function Support({ text }: { text: string }): ReactNode {
  const { t } = useTranslation();
  const save = (): void =>
    saveFile('isoline-support.txt', new TextEncoder().encode(text), 'text/plain;charset=utf-8');
  return (
    <>
      <h1>{t('help.guide.support')}</h1>
      <p>{t('help.supportText')}</p>
      <Button h={44} onClick={save}>
        {t('help.save')}
      </Button>
      <pre>{text}</pre>
    </>
  );
}

export function HelpPageContent({ page, text }: { page: HelpPage; text: string }): ReactNode {
  const { t } = useTranslation();
  if (page === SUPPORT) return <Support text={text} />;
  if (page !== LICENCES)
    return <Markdown options={{ disableParsingRawHTML: true, overrides: OVERRIDES }}>{text}</Markdown>;
  return (
    <>
      <h1>{t('help.guide.licences')}</h1>
      <pre>{text}</pre>
    </>
  );
}
