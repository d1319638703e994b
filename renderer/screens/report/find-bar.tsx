// Looks for words in a report: all places are marked, one after the other is gone to.

import { Button, TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../parts/icon.tsx';
import { findText } from './find-text.ts';
import classes from './report.module.css';

const ALL = 'report-found';
const THIS = 'report-found-this';

interface FindBarProps {
  readonly area: RefObject<HTMLElement | null>;
  /** So many pages have their text. */
  readonly textCount: number;
  onClose(): void;
}

export function FindBar({ area, textCount, onClose }: FindBarProps): ReactNode {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const [found, setFound] = useState<readonly Range[]>([]);
  const [place, setPlace] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: pages that get their text later are looked through again
  useEffect(() => {
    const texts = area.current?.querySelectorAll('[data-page-text]') ?? [];
    setFound([...texts].flatMap((each) => findText(each, words)));
    setPlace(0);
  }, [area, words, textCount]);
  useEffect(() => {
    const present = found[place];
    CSS.highlights.set(ALL, new Highlight(...found));
    CSS.highlights.set(THIS, new Highlight(...(present === undefined ? [] : [present])));
    present?.startContainer.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest' });
    return () => {
      CSS.highlights.delete(ALL);
      CSS.highlights.delete(THIS);
    };
  }, [found, place]);
  const step = (by: 1 | -1): void => {
    if (found.length > 0) setPlace((place + by + found.length) % found.length);
  };
  return (
    <search className={classes.find}>
      <TextInput
        size="md"
        w={240}
        autoFocus
        aria-label={t('report.find')}
        placeholder={t('report.find')}
        value={words}
        maxLength={100}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span role="status" className="quiet">
        {words.trim() === ''
          ? ''
          : found.length === 0
            ? t('report.notFound')
            : t('report.foundAt', { place: place + 1, count: found.length })}
      </span>
      <Button variant="default" h={44} px={12} aria-label={t('report.findEarlier')} onClick={() => step(-1)}>
        <Icon name="up" />
      </Button>
      <Button variant="default" h={44} px={12} aria-label={t('report.findNext')} onClick={() => step(1)}>
        <Icon name="down" />
      </Button>
      <Button variant="default" h={44} px={12} aria-label={t('report.findClose')} onClick={onClose}>
        <Icon name="cross" />
      </Button>
    </search>
  );
}
