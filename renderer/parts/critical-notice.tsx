// A critical ECG that nobody has seen yet: on every screen of those who read, with a sound and a notification of the system
// once for each, until somebody says that it was seen (E47).

import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskRow } from '../../shared/bridge/views.ts';
import { findingText } from '../../shared/findings/finding-text.ts';
import { useCommand } from '../bridge/use-command.ts';
import { useSession } from '../bridge/use-session.ts';
import { shownLanguage } from '../text/text.ts';
import { waitedText } from './format-time.ts';
import { Icon } from './icon.tsx';
import { taskNameOf } from './patient-line.tsx';
import classes from './standing-banner.module.css';
import { useCriticals } from './use-criticals.ts';
import { useNow } from './use-now.ts';

const COUNT_MS = 15_000;
/** Two tones, so that it is no beat of a heart. */
const TONES_HZ = [880, 660];
const TONE_S = 0.18;
const VOLUME = 0.25;

/** A browser that may not play yet does not say so: it only never begins. */
const BEGIN_MS = 500;
const GESTURES = ['pointerdown', 'keydown'] as const;
let isSoundOwed = false;

async function sound(): Promise<void> {
  const audio = new AudioContext();
  await Promise.race([audio.resume(), new Promise((resolve) => setTimeout(resolve, BEGIN_MS))]);
  if (audio.state !== 'running') {
    await audio.close();
    // Before anybody has touched the page, nothing is played: the next touch lets it.
    for (const gesture of GESTURES) addEventListener(gesture, playOwed, { once: true });
    return;
  }
  if (!isSoundOwed) return audio.close();
  isSoundOwed = false;
  for (const [i, frequency] of TONES_HZ.entries()) {
    const tone = new OscillatorNode(audio, { frequency });
    const gain = new GainNode(audio, { gain: VOLUME });
    tone.connect(gain).connect(audio.destination);
    tone.start(audio.currentTime + i * TONE_S);
    tone.stop(audio.currentTime + (i + 1) * TONE_S);
    if (i === TONES_HZ.length - 1) tone.onended = () => void audio.close();
  }
}

function playOwed(): void {
  // A computer without a way to sound still shows it.
  if (isSoundOwed) sound().catch(() => undefined);
}

/** Without a name: it may stand where others see it. */
function notify(title: string, body: string, taskId: number): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    const notification = new Notification(title, { body, tag: `critical-${taskId}` });
    notification.onclick = () => {
      window.focus();
      location.hash = `#/review/${taskId}`;
      notification.close();
    };
  } catch {
    // Some systems have notifications for installed programs alone: the banner stands all the same.
  }
}

/** Since this page was opened. */
const told = new Set<string>();
const keyOf = ({ taskId, criticalRevision }: TaskRow): string => `${taskId} ${criticalRevision}`;

function useTold(criticals: readonly TaskRow[]): void {
  const { t } = useTranslation();
  useEffect(() => {
    const fresh = criticals.filter((row) => !told.has(keyOf(row)));
    if (fresh.length === 0) return;
    isSoundOwed = true;
    playOwed();
    for (const row of fresh) {
      told.add(keyOf(row));
      notify(t('banner.criticalTitle'), t('banner.criticalBody'), row.taskId);
    }
  }, [criticals, t]);
}

/** Browsers ask before they notify; only where somebody wants it. */
function AskToNotify(): ReactNode {
  const { t } = useTranslation();
  const [permission, setPermission] = useState('Notification' in window ? Notification.permission : 'denied');
  if (permission !== 'default') return null;
  return (
    <Button
      size="compact-md"
      variant="default"
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      {t('banner.notifyMe')}
    </Button>
  );
}

/** Where another ECG has just come under the pointer, nobody has seen it yet. */
const LOOK_MS = 800;

function Seen({ critical: { taskId, criticalRevision } }: { critical: TaskRow }): ReactNode {
  const { t } = useTranslation();
  const { run, isRunning, trouble } = useCommand('task.acknowledge');
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), LOOK_MS);
    return () => clearTimeout(timer);
  }, []);
  if (criticalRevision === undefined) return null;
  return (
    <>
      {trouble !== undefined && <small>{trouble}</small>}
      <Button
        h={36}
        variant="default"
        disabled={!isReady}
        loading={isRunning}
        onClick={() => void run({ taskId, revision: criticalRevision })}
      >
        {t('banner.acknowledge')}
      </Button>
    </>
  );
}

export function CriticalNotice(): ReactNode {
  const { t } = useTranslation();
  const { may, isLocked } = useSession();
  const all = useCriticals(!isLocked && may('review'));
  const criticals = all.filter(({ isCriticalSeen }) => isCriticalSeen !== true);
  const nowMs = useNow(COUNT_MS);
  useTold(criticals);
  const [critical, ...others] = criticals;
  if (critical === undefined) return null;
  return (
    <p className={classes.critical} role="alert">
      <Icon name="bell" />
      <span>
        {t('banner.critical', {
          name: taskNameOf(critical),
          waited: waitedText(critical.criticalSinceMs ?? critical.createdMs, nowMs),
        })}
        {critical.firstFinding !== undefined && ` ${findingText(critical.firstFinding, shownLanguage())}.`}
        {others.length > 0 && ` ${t('banner.criticalMore', { count: others.length })}`}
      </span>
      <AskToNotify />
      <a href={`#/review/${critical.taskId}`}>{t('rail.review')}</a>
      <Seen key={keyOf(critical)} critical={critical} />
    </p>
  );
}
