// The box in which the worklist is searched: `Ctrl K` or `/` from anywhere, `Esc` empties it.

import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import classes from './search-box.module.css';

interface SearchBoxProps {
  readonly text: string;
  onChange(text: string): void;
  /** Somebody goes on to what was found. */
  onGoOn(): void;
}

export function SearchBox({ text, onChange, onGoOn }: SearchBoxProps): ReactNode {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const come = (): void => {
    input.current?.select();
    input.current?.focus();
  };
  useCommands('worklist', { search: come, searchToo: come });
  return (
    <label className={classes.search}>
      <Icon name="search" size={18} />
      <input
        ref={input}
        type="search"
        value={text}
        maxLength={200}
        placeholder={t('filter.search')}
        aria-label={t('filter.search')}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
          else if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            onGoOn();
          }
        }}
      />
      <Key of="worklist.search" />
    </label>
  );
}
