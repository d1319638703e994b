// Above a report: back, how large it is shown, what can be done with it.

import { Button, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../parts/icon.tsx';
import { useCalibration } from '../../trace/calibration.ts';
import classes from './report.module.css';
import type { ShownZoom } from './use-zoom.ts';

const CHOICES = [50, 75, 100, 125, 150, 200, 300, 400] as const;
/** The entry of the list for what is shown at the moment, where it is none of the others. */
const PRESENT = 'present';

function ZoomControls({ zoom, percent, setZoom, larger, smaller }: ShownZoom): ReactNode {
  const { t } = useTranslation();
  const { isTrue } = useCalibration();
  const rounded = `${Math.round(percent)} %`;
  return (
    <fieldset className={classes.zoom} aria-label={t('report.zoom')}>
      <Button variant="default" h={44} px={12} aria-label={t('report.zoomOut')} onClick={smaller}>
        <Icon name="minus" />
      </Button>
      <NativeSelect
        aria-label={t('report.zoom')}
        w={172}
        size="md"
        value={typeof zoom !== 'number' || CHOICES.some((each) => each === zoom) ? String(zoom) : PRESENT}
        data={[
          { value: 'page', label: zoom === 'page' ? `${t('report.fit')} · ${rounded}` : t('report.fit') },
          {
            value: 'width',
            label: zoom === 'width' ? `${t('report.fitWidth')} · ${rounded}` : t('report.fitWidth'),
          },
          ...CHOICES.map((each) => ({
            value: String(each),
            label: each === 100 && isTrue ? `100 % · ${t('report.trueSize')}` : `${each} %`,
          })),
          ...(typeof zoom === 'number' && !CHOICES.some((each) => each === zoom)
            ? [{ value: PRESENT, label: rounded }]
            : []),
        ]}
        onChange={({ currentTarget: { value } }) =>
          setZoom(value === 'page' || value === 'width' ? value : Number(value))
        }
      />
      <Button variant="default" h={44} px={12} aria-label={t('report.zoomIn')} onClick={larger}>
        <Icon name="plus" />
      </Button>
    </fieldset>
  );
}

interface ViewerBarProps {
  readonly title: string;
  readonly zoom: ShownZoom;
  readonly tools: ReactNode;
  readonly judge: ReactNode;
  onBack(): void;
  onFind(): void;
  onPrint(): void;
}

export function ViewerBar(props: ViewerBarProps): ReactNode {
  const { t } = useTranslation();
  const { title, zoom, tools, judge } = props;
  return (
    <div className={classes.bar}>
      <Button variant="default" h={44} leftSection={<Icon name="back" />} onClick={props.onBack}>
        {t('report.back')}
      </Button>
      <h1>{title}</h1>
      <div className={classes.space} />
      <ZoomControls {...zoom} />
      <Button variant="default" h={44} px={12} aria-label={t('report.find')} onClick={props.onFind}>
        <Icon name="search" />
      </Button>
      {tools}
      <Button variant="default" h={44} leftSection={<Icon name="print" />} onClick={props.onPrint}>
        {t('report.print')}
      </Button>
      {judge}
    </div>
  );
}
