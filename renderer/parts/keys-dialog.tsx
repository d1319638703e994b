// F1: which keys do what, those of the screen first (screens, 1.2).

import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isSeatPage } from '../bridge/connect.ts';
import classes from './keys-dialog.module.css';
import { useKeys } from './use-keys.ts';

/** Key as it is printed on the keyboard → what it does (`keys.does.…`). */
type Shown = readonly (readonly [key: string, does: string])[];

const EVERYWHERE: Shown = [
  ['F1', 'keys'],
  ['F2', 'patient'],
  ['F3', 'live'],
  ['F4', 'worklist'],
  ['F9', 'emergency'],
  ['Alt R', 'review'],
  ['Alt Y', 'sync'],
  ['Alt D', 'devices'],
  ['Alt S', 'settings'],
  ['Ctrl L', 'lock'],
  ['Esc', 'close'],
];
const OF_PLACE: Readonly<Record<string, Shown>> = {
  patient: [
    ['F7', 'newPatient'],
    ['Ctrl K', 'search'],
    ['Ctrl Enter', 'start'],
    ['Esc Esc', 'clear'],
  ],
  live: [
    ['F5', 'record'],
    ['F6', 'saveLast'],
    ['Space', 'freeze'],
    ['E', 'mark'],
    ['T', 'tone'],
    ['W', 'mode'],
    ['1 – 4', 'layout'],
    ['+ −', 'lead'],
    ['↑ ↓', 'gain'],
    ['← →', 'speed'],
  ],
  worklist: [
    ['↑ ↓', 'row'],
    ['Enter', 'report'],
    ['Ctrl K', 'search'],
    ['Ctrl O', 'import'],
  ],
  review: [
    ['A', 'addFinding'],
    ['N S V F Q', 'beatClass'],
    ['Shift N …', 'shapeClass'],
    ['Ctrl Z', 'undo'],
    ['Ctrl Shift Z', 'redo'],
    ['Ctrl Enter', 'approve'],
    ['Ctrl →', 'nextOpen'],
    ['Z', 'paperOnly'],
    ['C', 'calipers'],
    ['M H L', 'caliperMore'],
    ['V', 'compare'],
    ['← →', 'second'],
    ['↑ ↓', 'gain'],
    ['Page ↑ ↓', 'page'],
    ['Home End', 'ends'],
    ['Esc', 'back'],
  ],
  compare: [
    ['V', 'back'],
    ['← →', 'second'],
    ['Page ↑ ↓', 'page'],
    ['Esc', 'back'],
  ],
  timeline: [
    ['V', 'compare'],
    ['Esc', 'back'],
  ],
  report: [
    ['Ctrl P', 'print'],
    ['Ctrl S', 'save'],
    ['Esc', 'back'],
  ],
};

function KeyList({ title, shown }: { title: string; shown: Shown }): ReactNode {
  const { t } = useTranslation();
  return (
    <section>
      <h3>{title}</h3>
      <dl className={classes.keys}>
        {shown.map(([key, does]) => (
          <div key={does}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(`keys.does.${does}`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** @param place the screen, as it stands in the address */
export function KeysDialog({ place }: { place: string }): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useKeys({ F1: () => setOpen(!isOpen) }, true);
  const own = OF_PLACE[place === 'central' ? 'report' : place];
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} title={t('keys.title')} centered size="lg">
      <div className={classes.lists}>
        {own !== undefined && <KeyList title={t('keys.here')} shown={own} />}
        <KeyList
          title={t('keys.everywhere')}
          shown={EVERYWHERE.filter(([key]) => key !== 'F9' || !(isSeatPage && place === 'lock'))}
        />
      </div>
      {place !== 'lock' && place !== 'help' && (
        <Button
          component="a"
          href="#/help/user-guide"
          h={44}
          mt="md"
          variant="default"
          onClick={() => setOpen(false)}
        >
          {t('help.open')}
        </Button>
      )}
    </Modal>
  );
}
