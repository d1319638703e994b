// F1: which keys do what, those of the screen first (screens, 1.2).

import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isSeatPage } from '../bridge/connect.ts';
import { isPlace, type Place, type ShownLine, shownLines } from './commands.ts';
import { KeyCap } from './key.tsx';
import classes from './keys-dialog.module.css';
import { useCommands } from './use-keys.ts';

function KeyList({ title, shown }: { title: string; shown: readonly ShownLine[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <section>
      <h3>{title}</h3>
      <dl className={classes.keys}>
        {shown.map(({ key, does }) => (
          <div key={does}>
            <dt>
              <KeyCap printed={key} />
            </dt>
            <dd>{t(`keys.does.${does}`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Screens at another address with the keys of one. */
const OTHER_PLACES: Readonly<Record<string, string>> = { central: 'report', paper: 'review' };
/** The views of a day have keys of their own. */
const HOLTER_PLACES = [
  'holterQuestions',
  'holterDay',
  'holterFamilies',
  'holterFull',
  'holterStrips',
] as const satisfies readonly Place[];

/** @param place the screen, as it stands in the address */
export function KeysDialog({ place }: { place: string }): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useCommands('everywhere', { showKeys: () => setOpen(!isOpen) }, true);
  const own = OTHER_PLACES[place] ?? place;
  const views = own === 'holter' ? HOLTER_PLACES : [];
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} title={t('keys.title')} centered size="lg">
      <div className={classes.lists}>
        {isPlace(own) && <KeyList title={t('keys.here')} shown={shownLines(own)} />}
        {views.map((view) => (
          <KeyList key={view} title={t(`keys.view.${view}`)} shown={shownLines(view)} />
        ))}
        <KeyList
          title={t('keys.everywhere')}
          shown={shownLines('everywhere').filter(
            ({ does }) => does !== 'emergency' || !(isSeatPage && place === 'lock'),
          )}
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
