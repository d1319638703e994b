// First start: six questions, one a page, each answer saved at once; it can be left and resumed (screens, S10).

import { Button } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIRST_STEPS, type FirstStep } from '../../../shared/first-start.ts';
import { useFirstStart } from '../../bridge/use-first-start.ts';
import { goOn } from '../../parts/go-on.ts';
import { Icon } from '../../parts/icon.tsx';
import { useKeys } from '../../parts/use-keys.ts';
import { ClinicStep } from './clinic-step.tsx';
import { DeviceStep } from './device-step.tsx';
import { ElectrodesStep } from './electrodes-step.tsx';
import { FinishedStart } from './finished-start.tsx';
import classes from './first-start.module.css';
import { LanguageStep } from './language-step.tsx';
import { RestorePage } from './restore-page.tsx';
import { ScreenStep } from './screen-step.tsx';
import type { StepProps } from './step-props.ts';
import { StorageStep } from './storage-step.tsx';
import { useAnswers } from './use-answers.ts';

const STEPS: { readonly [S in FirstStep]: (props: StepProps) => ReactNode } = {
  language: LanguageStep,
  clinic: ClinicStep,
  storage: StorageStep,
  screen: ScreenStep,
  electrodes: ElectrodesStep,
  device: DeviceStep,
};
const FORM = 'first-start';

interface StepListProps {
  readonly at: FirstStep | undefined;
  readonly done: readonly FirstStep[];
  readonly later: readonly FirstStep[];
  onChoose(step: FirstStep): void;
}

function StepList({ at, done, later, onChoose }: StepListProps): ReactNode {
  const { t } = useTranslation();
  const answers = useAnswers();
  return (
    <ol className={classes.steps}>
      {FIRST_STEPS.map((step, i) => {
        const isDone = done.includes(step);
        return (
          <li key={step}>
            <button
              type="button"
              aria-current={step === at ? 'step' : undefined}
              data-done={isDone || undefined}
              onClick={() => onChoose(step)}
            >
              <i>{isDone ? <Icon name="check" size={16} /> : i + 1}</i>
              <span>
                <b>{t(`start.${step}.name`)}</b>
                <small>
                  {isDone
                    ? (answers[step] ?? t('start.done'))
                    : later.includes(step)
                      ? t('start.putOff')
                      : t(`start.${step}.about`)}
                </small>
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

const go = (step: FirstStep | 'end'): void => {
  location.hash = `#/start/${step}`;
};

/** @param shown the step in the address; without one, the first that is not answered */
export function FirstStartScreen({ shown }: { shown?: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const start = useFirstStart();
  const [isSaving, setSaving] = useState(false);
  const at = shown === 'end' ? 'end' : (FIRST_STEPS.find((step) => step === shown) ?? start.left[0] ?? 'end');
  const place = at === 'end' ? FIRST_STEPS.length : FIRST_STEPS.indexOf(at);
  const back = FIRST_STEPS[place - 1];
  const following = `#/start/${FIRST_STEPS[place + 1] ?? 'end'}`;
  useKeys({ Escape: back === undefined ? undefined : () => go(back) });
  if (!start.isKnown) return null;
  const submit = async (event: SubmitEvent, save?: () => Promise<boolean>): Promise<void> => {
    event.preventDefault();
    if (at === 'end' || isSaving) return;
    const from = location.hash;
    setSaving(true);
    try {
      if ((save === undefined || (await save())) && (await start.note(at, 'done'))) goOn(from, following);
    } finally {
      setSaving(false);
    }
  };
  const putOff = async (): Promise<void> => {
    const from = location.hash;
    if (at !== 'end' && (await start.note(at, 'later'))) goOn(from, following);
  };
  const Step = at === 'end' ? undefined : STEPS[at];
  return (
    <div className={classes.start}>
      <div className={classes.screen}>
        <nav className={classes.side} aria-label={t('start.title')}>
          <div className={classes.name}>
            <img src="./icon.svg" alt="" width={40} height={40} /> {t('app.name')}
          </div>
          <StepList at={at === 'end' ? undefined : at} done={start.done} later={start.later} onChoose={go} />
          <p>{t('start.leave')}</p>
          <a href="#/worklist">{t('start.toWorklist')}</a>
        </nav>
        <main className={classes.main}>
          <div className={classes.page}>
            {shown === 'restore' ? (
              <RestorePage />
            ) : at === 'end' || Step === undefined ? (
              <FinishedStart
                later={[...start.later, ...start.left]}
                onChoose={go}
                onFinish={() => void start.finish()}
              />
            ) : (
              <>
                <p className={classes.count}>
                  {t('start.step', { step: place + 1, of: FIRST_STEPS.length })}
                </p>
                <h1>{t(`start.${at}.title`)}</h1>
                <p className={classes.intro}>{t(`start.${at}.intro`)}</p>
                <Step key={at} formId={FORM} onSubmit={(event, save) => void submit(event, save)} />
              </>
            )}
            {start.trouble !== undefined && (
              <p role="alert" className={classes.trouble}>
                {start.trouble}
              </p>
            )}
          </div>
        </main>
        {at !== 'end' && shown !== 'restore' && (
          <footer className={classes.foot}>
            {back !== undefined && (
              <Button h={48} variant="default" leftSection={<Icon name="back" />} onClick={() => go(back)}>
                {t('start.back')}
              </Button>
            )}
            <Button h={48} variant="subtle" className={classes.later ?? ''} onClick={() => void putOff()}>
              {t('start.later')}
            </Button>
            <Button h={48} type="submit" form={FORM} loading={isSaving} rightSection={<kbd>Enter</kbd>}>
              {t('start.next')}
            </Button>
          </footer>
        )}
      </div>
    </div>
  );
}
