// Where the electrodes sit, in the colours of the cable, and which of them has no contact: by a ring, a cross
// and words, never by colour alone (screens, 1.6; E19, E21).

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ELECTRODES, type Electrode, electrodesOf } from '../../shared/signal/electrode.ts';
import classes from './electrode-picture.module.css';
import { type ElectrodeCode, MARKS, PLACES } from './electrode-table.ts';

const CHEST_RADIUS = 11.5;
const LIMB_RADIUS = 13;
const isLimb = (electrode: Electrode): boolean => !electrode.startsWith('C');

function Torso(): ReactNode {
  return (
    <g className={classes.torso}>
      <path d="M101 4v22c0 8-6 12-16 15L56 50c-9 3-13 10-13 20l7 62c2 16 3 26 2 40l-5 92h158l-5-92c-1-14 0-24 2-40l7-62c0-10-4-17-13-20l-29-9c-10-3-16-7-16-15V4" />
      <path
        className={classes.ribs}
        d="M126 62v92M74 62c16 10 34 10 50 0M178 62c-16 10-34 10-50 0M84 152c12 8 28 7 38 1M168 152c-12 8-28 7-38 1M112 224c8-14 20-14 28 0"
      />
    </g>
  );
}

function Dot({
  electrode,
  code,
  isOff,
  isUsed,
}: {
  electrode: Electrode;
  code: ElectrodeCode;
  isOff: boolean;
  isUsed: boolean;
}): ReactNode {
  const [x, y] = PLACES[electrode];
  const { label, colour, ink } = MARKS[code][electrode];
  const radius = isLimb(electrode) ? LIMB_RADIUS : CHEST_RADIUS;
  if (!isUsed) return <circle cx={x} cy={y} r={radius - 2} className={classes.unused} />;
  if (isOff)
    return (
      <g className={classes.off}>
        <circle cx={x} cy={y} r={radius + 4} />
        <path d={`M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12`} />
      </g>
    );
  return (
    <g>
      <circle cx={x} cy={y} r={radius + 1.5} className={classes.ring} />
      <circle cx={x} cy={y} r={radius} fill={colour} />
      <text x={x} y={y + 4} fill={ink} textAnchor="middle" className={classes.dotLabel}>
        {label}
      </text>
    </g>
  );
}

export interface ElectrodePictureProps {
  readonly code: ElectrodeCode;
  /** Mask of those without contact. */
  readonly off: number;
  readonly used: ReadonlySet<Electrode>;
  /** Nothing can be said of their contact now. */
  readonly isPending: boolean;
}

export function ElectrodePicture({ code, off, used, isPending }: ElectrodePictureProps): ReactNode {
  const { t } = useTranslation();
  const offNames = electrodesOf(off).map((electrode) => MARKS[code][electrode].label);
  const allOn = isPending ? t('live.electrodes') : t('live.pictureAllOn');
  const label = offNames.length === 0 ? allOn : t('live.pictureOff', { electrodes: offNames.join(', ') });
  return (
    <svg className={classes.picture} viewBox="0 0 252 316" role="img" aria-label={label}>
      <Torso />
      {ELECTRODES.map((electrode) => (
        <Dot
          key={electrode}
          electrode={electrode}
          code={code}
          isOff={electrodesOf(off).includes(electrode)}
          isUsed={used.has(electrode)}
        />
      ))}
      {(['RA', 'LA', 'RL', 'LL'] as const).map((electrode) => {
        const [, y] = PLACES[electrode];
        const isLeft = electrode.startsWith('L');
        return (
          <text
            key={electrode}
            x={isLeft ? 250 : 2}
            y={y + 27}
            textAnchor={isLeft ? 'end' : 'start'}
            className={classes.limbName}
          >
            {t(`live.limb.${electrode}`)}
          </text>
        );
      })}
    </svg>
  );
}
