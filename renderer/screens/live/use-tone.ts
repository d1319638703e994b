// A short tone at every beat that the live analysis finds; none while there is no valid rate (screens, 2.4).

import { useEffect } from 'react';
import { useBridge } from '../../bridge/use-bridge.tsx';

const TONE_HZ = 660;
const TONE_S = 0.04;
const VOLUME = 0.2;

function beep(audio: AudioContext): void {
  const tone = new OscillatorNode(audio, { frequency: TONE_HZ });
  const gain = new GainNode(audio, { gain: VOLUME });
  tone.connect(gain).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + TONE_S);
}

export function useTone(id: string | undefined, isOn: boolean): void {
  const bridge = useBridge();
  useEffect(() => {
    if (!isOn || id === undefined) return;
    const audio = new AudioContext();
    let heard = Number.NaN;
    const end = bridge.on('desk.live', ({ id: of, beatSamples, heartRateBpm }) => {
      const newest = beatSamples.at(-1);
      if (of !== id || newest === undefined) return;
      if (!Number.isNaN(heard) && newest !== heard && heartRateBpm !== undefined) beep(audio);
      heard = newest;
    });
    return () => {
      end();
      void audio.close();
    };
  }, [bridge, id, isOn]);
}
