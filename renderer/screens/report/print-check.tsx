// Before the first report is printed here, the printer is measured once; one that does not print true millimetres is said so
// at every print (screens, section 2.5; E37).

import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isTrueScale, usePrintScale } from '../../parts/print-scale.ts';
import { PrintScaleWord, PrintTest } from '../../parts/print-test.tsx';
import classes from './report.module.css';

export interface CheckedPrint {
  /** Prints at once where the printer is known to be true, and asks otherwise. */
  print(): void;
  readonly dialog: ReactNode;
}

export function useCheckedPrint(print: () => void): CheckedPrint {
  const scale = usePrintScale();
  const [isAsking, setIsAsking] = useState(false);
  const isTrue = scale !== undefined && isTrueScale(scale);
  return {
    print: () => (isTrue ? print() : setIsAsking(true)),
    dialog: isAsking && (
      <PrintCheck
        isMeasured={scale !== undefined}
        onClose={() => setIsAsking(false)}
        onPrint={() => {
          setIsAsking(false);
          print();
        }}
      />
    ),
  };
}

interface PrintCheckProps {
  readonly isMeasured: boolean;
  onClose(): void;
  onPrint(): void;
}

function PrintCheck({ isMeasured, onClose, onPrint }: PrintCheckProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={t('printing.checkTitle')} centered size="lg">
      {isMeasured ? <PrintScaleWord /> : <p>{t('printing.checkText')}</p>}
      <PrintTest />
      <div className={classes.judgeButtons}>
        <Button variant="default" h={48} onClick={onClose}>
          {t('reason.cancel')}
        </Button>
        <Button h={48} variant={isMeasured ? 'default' : 'filled'} onClick={onPrint}>
          {t(isMeasured ? 'printing.anyway' : 'printing.report')}
        </Button>
      </div>
    </Modal>
  );
}
