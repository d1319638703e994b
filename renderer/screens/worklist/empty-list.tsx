// A worklist without rows: how to begin where there is nothing yet, what to take away where nothing matches.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import classes from './empty-list.module.css';
import { EVERYTHING, type Filter } from './task-filter.ts';

const PICTURE = { width: 240, height: 112, cell: 15 } as const;

/** Paper on which the first trace begins. */
function EmptyPaper(): ReactNode {
  const { width, height, cell } = PICTURE;
  const lines = [
    ...Array.from({ length: Math.floor(width / cell) }, (_, i) => `M${(i + 1) * cell} 0V${height}`),
    ...Array.from({ length: Math.floor(height / cell) }, (_, i) => `M0 ${(i + 1) * cell - 7}H${width}`),
  ];
  return (
    <svg className={classes.paper} width={width} height={height} aria-hidden="true">
      <path className={classes.grid} d={lines.join('')} />
      <path className={classes.trace} d="M15 68H80" />
      <circle className={classes.pen} cx={80} cy={68} r={4} />
    </svg>
  );
}

export function NothingYet({ onImport }: { onImport: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={classes.empty} role="status">
      <EmptyPaper />
      <h2>{t('worklist.empty')}</h2>
      <p>{t('worklist.emptyRemedy')}</p>
      <div className={classes.buttons}>
        <Button
          h={44}
          component="a"
          href="#/patient"
          leftSection={<Icon name="plus" />}
          rightSection={<Key of="everywhere.toPatient" />}
        >
          {t('worklist.record')}
        </Button>
        <Button
          h={44}
          variant="default"
          leftSection={<Icon name="import" />}
          rightSection={<Key of="worklist.import" />}
          onClick={onImport}
        >
          {t('worklist.importFiles')}
        </Button>
      </div>
      <p className={classes.drop}>{t('worklist.dropHint')}</p>
    </div>
  );
}

interface NothingFoundProps {
  readonly filter: Filter;
  onChange(filter: Filter): void;
}

/** Each condition with a cross that takes it away. */
export function NothingFound({ filter, onChange }: NothingFoundProps): ReactNode {
  const { t } = useTranslation();
  const { period, lowestSeverity, state, isRealOnly, text } = filter;
  const conditions: readonly (readonly [string, Partial<Filter>])[] = [
    ...(period === 'all' ? [] : [[t(`filter.${period}`), { period: 'all' }] as const]),
    ...(lowestSeverity === '' ? [] : [[t(`severity.${lowestSeverity}`), { lowestSeverity: '' }] as const]),
    ...(state === ''
      ? []
      : [
          [
            state === 'needsAction' ? t('filter.needsAction') : t(`filter.states.${state}`),
            { state: '' },
          ] as const,
        ]),
    ...(isRealOnly ? [[t('filter.realOnly'), { isRealOnly: false }] as const] : []),
    ...(text.trim() === '' ? [] : [[`“${text.trim()}”`, { text: '' }] as const]),
  ];
  return (
    <div className={classes.empty} role="status">
      <h2>{t('filter.nothing')}</h2>
      <p>{t('filter.nothingRemedy', { count: conditions.length })}</p>
      <div className={classes.buttons}>
        {conditions.map(([words, without]) => (
          <button
            key={words}
            type="button"
            className={classes.condition}
            aria-label={t('filter.without', { condition: words })}
            onClick={() => onChange({ ...filter, ...without })}
          >
            {words} <Icon name="cross" size={14} />
          </button>
        ))}
      </div>
      <Button h={44} variant="default" onClick={() => onChange(EVERYTHING)}>
        {t('filter.clearAll')}
      </Button>
    </div>
  );
}
