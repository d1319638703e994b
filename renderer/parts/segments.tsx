// A choice of few things side by side: one stop of the Tab key, arrows go along it.

import type { ReactNode } from 'react';
import classes from './segments.module.css';

export interface Segment<V extends string | number> {
  readonly value: V;
  readonly label: string;
  /** What is read aloud, where the label is short. */
  readonly spoken?: string;
}

export interface SegmentsProps<V extends string | number> {
  readonly label: string;
  readonly name: string;
  readonly segments: readonly Segment<V>[];
  /** Nothing is chosen where it is undefined. */
  readonly value: V | undefined;
  onChoose(value: V): void;
  readonly isWide?: boolean;
}

export function Segments<V extends string | number>({
  label,
  name,
  segments,
  value,
  onChoose,
  isWide,
}: SegmentsProps<V>): ReactNode {
  return (
    <fieldset className={`${classes.segments} ${isWide === true ? classes.wide : ''}`} aria-label={label}>
      {segments.map((segment) => (
        <label
          key={segment.value}
          className={classes.segment}
          data-chosen={segment.value === value || undefined}
        >
          <input
            type="radio"
            name={name}
            checked={segment.value === value}
            aria-label={segment.spoken ?? segment.label}
            onChange={() => onChoose(segment.value)}
            // After a click the focus goes back to the picture, because the arrow keys move it.
            onClick={({ detail, currentTarget }) => {
              if (detail > 0) currentTarget.blur();
            }}
          />
          <span>{segment.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
