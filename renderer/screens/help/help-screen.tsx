// Help: the guides of the program, to be read beside the work (screens, S13), and what this program is.

import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toPlainError } from '../../../shared/errors.ts';
import { useBridge, useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { Icon } from '../../parts/icon.tsx';
import sideList from '../../parts/side-list.module.css';
import { errorText } from '../../text/text.ts';
import {
  HELP_PAGES,
  type HelpPage,
  isGuide,
  isHelpPage,
  LICENCES,
  readGuide,
  readNotices,
  SUPPORT,
  sectionsOf,
} from './guides.ts';
import classes from './help.module.css';
import { HelpPageContent } from './help-page-content.tsx';

function usePageText(page: HelpPage, language: string): string | undefined {
  const [read, setRead] = useState<{ readonly of: string; readonly text: string } | undefined>();
  const of = `${language}/${page}`;
  const bridge = useBridge();
  useEffect(() => {
    let isCurrent = true;
    const reading =
      page === SUPPORT
        ? bridge.call('workstation.support', {}).then(({ text }) => text)
        : page === LICENCES
          ? readNotices()
          : readGuide(page, language);
    const show = (text: string): void => {
      if (isCurrent) setRead({ of, text });
    };
    reading.then(show, (error: unknown) => show(errorText(toPlainError(error))));
    return () => {
      isCurrent = false;
    };
  }, [bridge, page, language, of]);
  return read?.of === of ? read.text : undefined;
}

/** @param shown the page in the address */
export function HelpScreen({ shown }: { shown: string | undefined }): ReactNode {
  const { t, i18n } = useTranslation();
  const page: HelpPage = isHelpPage(shown) ? shown : 'user-guide';
  const text = usePageText(page, i18n.language);
  const { data: about } = useBridgeQuery('workstation.about', {});
  const sections = useMemo(
    () => (text === undefined || !isGuide(page) ? [] : sectionsOf(text)),
    [text, page],
  );
  const jump = (id: string): void => {
    const heading = document.getElementById(id);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  };
  return (
    <div className={sideList.screen}>
      <nav className={sideList.list} aria-label={t('help.title')}>
        <h1>{t('help.title')}</h1>
        {HELP_PAGES.map((each) => (
          <div key={each}>
            <a
              className={sideList.entry}
              href={`#/help/${each}`}
              aria-current={each === page ? 'page' : undefined}
            >
              <Icon name="report" />
              {t(`help.guide.${each}`)}
            </a>
            {each === page &&
              sections.map(({ id, title }) => (
                <button
                  key={id}
                  type="button"
                  className={classes.section}
                  data-page-text
                  onClick={() => jump(id)}
                >
                  {title}
                </button>
              ))}
          </div>
        ))}
        <p className={`quiet ${classes.about}`}>
          {t('top.version', { version: about?.version ?? '' })}
          <br />
          {t('help.whatItIs')}
        </p>
      </nav>
      {/* Another page begins at its top. */}
      <section
        key={page}
        className={classes.page}
        aria-label={t(`help.guide.${page}`)}
        aria-busy={text === undefined}
      >
        {text !== undefined && (
          <article data-page-text>
            <HelpPageContent page={page} text={text} />
          </article>
        )}
      </section>
    </div>
  );
}
