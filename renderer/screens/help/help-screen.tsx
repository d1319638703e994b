// Help: the guides of the program, to be read beside the work (screens, S13), and what this program is.

import { Button } from '@mantine/core';
import Markdown from 'markdown-to-jsx/react';
import { type ComponentProps, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toPlainError } from '../../../shared/errors.ts';
import { useBridge, useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { errorText } from '../../text/text.ts';
import {
  GUIDES,
  isGuide,
  LICENCES,
  linkedGuide,
  pictureUrl,
  readGuide,
  readNotices,
  SUPPORT,
  sectionsOf,
} from './guides.ts';
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

const PAGES = [...GUIDES, LICENCES, SUPPORT] as const;
type Page = (typeof PAGES)[number];

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

function Content({ page, text }: { page: Page; text: string }): ReactNode {
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

function useGuide(guide: Page, language: string): string | undefined {
  const [read, setRead] = useState<{ readonly of: string; readonly text: string } | undefined>();
  const of = `${language}/${guide}`;
  const bridge = useBridge();
  useEffect(() => {
    let isCurrent = true;
    const reading =
      guide === SUPPORT
        ? bridge.call('workstation.support', {}).then(({ text }) => text)
        : guide === LICENCES
          ? readNotices()
          : readGuide(guide, language);
    const show = (text: string): void => {
      if (isCurrent) setRead({ of, text });
    };
    reading.then(show, (error: unknown) => show(errorText(toPlainError(error))));
    return () => {
      isCurrent = false;
    };
  }, [bridge, guide, language, of]);
  return read?.of === of ? read.text : undefined;
}

/** @param shown the guide in the address */
export function HelpScreen({ shown }: { shown: string | undefined }): ReactNode {
  const { t, i18n } = useTranslation();
  const guide: Page = isGuide(shown) || shown === LICENCES || shown === SUPPORT ? shown : 'user-guide';
  const text = useGuide(guide, i18n.language);
  const { data: about } = useBridgeQuery('workstation.about', {});
  const page = useRef<HTMLElement>(null);
  const sections = useMemo(
    () => (text === undefined || !isGuide(guide) ? [] : sectionsOf(text)),
    [text, guide],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another guide begins at its top
  useEffect(() => {
    if (page.current !== null) page.current.scrollTop = 0;
  }, [guide]);
  const jump = (id: string): void => {
    const heading = document.getElementById(id);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  };
  return (
    <div className={classes.screen}>
      <nav className={classes.guides} aria-label={t('help.title')}>
        <h1>{t('help.title')}</h1>
        {PAGES.map((each) => (
          <div key={each}>
            <a href={`#/help/${each}`} aria-current={each === guide ? 'page' : undefined}>
              <Icon name="report" />
              {t(`help.guide.${each}`)}
            </a>
            {each === guide &&
              sections.map(({ id, title }) => (
                <button key={id} type="button" data-page-text onClick={() => jump(id)}>
                  {title}
                </button>
              ))}
          </div>
        ))}
        <p className="quiet">
          {t('top.version', { version: about?.version ?? '' })}
          <br />
          {t('help.whatItIs')}
        </p>
      </nav>
      <section
        ref={page}
        className={classes.page}
        aria-label={t(`help.guide.${guide}`)}
        aria-busy={text === undefined}
      >
        {text !== undefined && (
          <article data-page-text>
            <Content page={guide} text={text} />
          </article>
        )}
      </section>
    </div>
  );
}
