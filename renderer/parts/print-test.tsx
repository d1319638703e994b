// A test page for the printer, and what a ruler says of it.

import { Button, NumberInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSetting } from '../bridge/use-settings.ts';
import { isTrueScale, keepPrintScale, percentOf, TEST_LINES_MM, usePrintScale } from './print-scale.ts';
import { printSheet } from './print-sheet.ts';
import classes from './print-test.module.css';

const PAPERS = { A4: '210mm 297mm', Letter: '215.9mm 279.4mm' } as const;
/** Nobody measures less, or more, than that of these lines. */
const PLAUSIBLE = [0.5, 1.5] as const;

function testPage(words: readonly string[]): HTMLElement {
  const page = document.createElement('div');
  page.className = classes.page ?? '';
  const across = document.createElement('div');
  across.className = classes.across ?? '';
  across.style.width = `${TEST_LINES_MM.across}mm`;
  const down = document.createElement('div');
  down.className = classes.down ?? '';
  down.style.height = `${TEST_LINES_MM.down}mm`;
  const lines = words.map((text) => {
    const line = document.createElement('p');
    line.textContent = text;
    return line;
  });
  page.append(...lines, across, down);
  return page;
}

/** What was measured, in words; nothing as long as nobody has. */
export function PrintScaleWord(): ReactNode {
  const { t } = useTranslation();
  const scale = usePrintScale();
  if (scale === undefined) return <p className="quiet">{t('printing.unknown')}</p>;
  return isTrueScale(scale) ? (
    <p className={classes.ok}>{t('printing.true')}</p>
  ) : (
    <p role="alert" className={classes.off}>
      {t('printing.off', { percent: percentOf(scale) })}
    </p>
  );
}

export function PrintTest({ onMeasured }: { onMeasured?: () => void }): ReactNode {
  const { t } = useTranslation();
  const paper = useSetting('report.paper') as keyof typeof PAPERS;
  const [across, setAcross] = useState<number | string>('');
  const [down, setDown] = useState<number | string>('');
  const ratioOf = (typed: number | string, lengthMm: number): number | undefined => {
    const ratio = Number(typed) / lengthMm;
    return ratio >= PLAUSIBLE[0] && ratio <= PLAUSIBLE[1] ? ratio : undefined;
  };
  const [a, d] = [ratioOf(across, TEST_LINES_MM.across), ratioOf(down, TEST_LINES_MM.down)];
  const keep = (event: SubmitEvent): void => {
    event.preventDefault();
    if (a === undefined || d === undefined) return;
    keepPrintScale({ across: a, down: d });
    onMeasured?.();
  };
  const words = [t('printing.pageTitle'), t('printing.pageText', TEST_LINES_MM)];
  return (
    <form className={classes.test} onSubmit={keep}>
      <p>
        <b>1</b> {t('printing.step1')}
      </p>
      <Button h={44} variant="default" onClick={() => printSheet([testPage(words)], PAPERS[paper])}>
        {t('printing.printPage')}
      </Button>
      <p>
        <b>2</b> {t('printing.step2')}
      </p>
      <div className={classes.lengths}>
        {(
          [
            ['across', across, setAcross],
            ['down', down, setDown],
          ] as const
        ).map(([line, value, setValue]) => (
          <NumberInput
            key={line}
            size="md"
            w={190}
            label={t(`printing.${line}`)}
            value={value}
            min={0}
            max={1000}
            decimalScale={1}
            suffix=" mm"
            hideControls
            onChange={setValue}
          />
        ))}
        <Button h={44} type="submit" disabled={a === undefined || d === undefined}>
          {t('printing.keep')}
        </Button>
      </div>
    </form>
  );
}
