// One thing that can be set: what it is and does at the left, the control at the right (design of the screens, settings).

import type { ReactNode } from 'react';
import classes from './settings.module.css';

interface SettingRowProps {
  readonly title: string;
  readonly effect?: ReactNode;
  /** What it was before, with a way back. */
  readonly was?: ReactNode;
  /** The control needs the whole width: it stands below. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function SettingRow({ title, effect, was, isWide = false, children }: SettingRowProps): ReactNode {
  return (
    <div
      className={classes.setting}
      data-changed={was !== undefined || undefined}
      data-wide={isWide || undefined}
    >
      <div>
        <strong>{title}</strong>
        {(effect !== undefined || was !== undefined) && (
          <p className="quiet">
            {effect} {was}
          </p>
        )}
      </div>
      <div className={classes.control}>{children}</div>
    </div>
  );
}
