// The sound of an alarm: three and two pulses, again and again until it is answered or silenced (the pattern of a high priority,
// IEC 60601-1-8, 6.3.3).

import { useEffect, useState } from 'react';

const TONE_HZ = 880;
const PULSE_S = 0.15;
/** Where the pulses of a burst begin. */
const PULSES_S = [0, 0.3, 0.6, 1.1, 1.4];
const AGAIN_MS = 5000;
const VOLUME = 0.3;
const GESTURES = ['pointerdown', 'keydown'] as const;

function burst(audio: AudioContext): void {
  for (const at of PULSES_S) {
    const tone = new OscillatorNode(audio, { frequency: TONE_HZ });
    tone.connect(new GainNode(audio, { gain: VOLUME })).connect(audio.destination);
    tone.start(audio.currentTime + at);
    tone.stop(audio.currentTime + at + PULSE_S);
  }
}

/** @returns false while the browser plays nothing, because nobody has touched the page yet */
export function useAlarmSound(isOn: boolean): boolean {
  const [isHeard, setHeard] = useState(true);
  useEffect(() => {
    if (!isOn) return;
    const audio = new AudioContext();
    const sound = (): void => {
      document.documentElement.dataset.alarmSound = audio.state;
      setHeard(audio.state === 'running');
      if (audio.state === 'running') burst(audio);
      // What the system has stopped is begun again; before anybody has touched the page, this comes to nothing.
      else audio.resume().catch(() => undefined);
    };
    const resume = (): void =>
      void (audio.state !== 'running' && audio.resume().then(sound, () => undefined));
    for (const gesture of GESTURES) addEventListener(gesture, resume);
    sound();
    const again = setInterval(sound, AGAIN_MS);
    return () => {
      clearInterval(again);
      for (const gesture of GESTURES) removeEventListener(gesture, resume);
      delete document.documentElement.dataset.alarmSound;
      setHeard(true);
      void audio.close();
    };
  }, [isOn]);
  return isHeard;
}
