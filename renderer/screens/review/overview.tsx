// The whole recording on one line: the rate at each beat as a dot, rhythms as bands, beats that are not usual as marks,
// and a frame around what the paper shows. Pressing jumps to that time, and dragging goes along it.

import { useComputedColorScheme } from '@mantine/core';
import { type PointerEvent, type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { traceColours } from '../../trace/colours.ts';
import classes from './review.module.css';
import { useCanvas } from './use-canvas.ts';
import type { Marks, RecordingFrame } from './use-recording.ts';

const RATES = { slowest: 30, fastest: 190 };
const USUAL: ReadonlySet<string> = new Set(['N', 'SBR', 'ST', 'UNK']);
const LINES_BPM = [60, 120];

interface OverviewProps {
  readonly frame: RecordingFrame;
  readonly marks: Marks;
  readonly startSample: number;
  readonly sampleCount: number;
  onGo(sample: number): void;
}

export function Overview({ frame, marks, startSample, sampleCount, onGo }: OverviewProps): ReactNode {
  const { t } = useTranslation();
  const { ref, box } = useCanvas();
  const colorScheme = useComputedColorScheme('light');
  const { recordedSamples, sampleRateHz } = frame;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the theme are read from the page
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (canvas === null || context === null || context === undefined || box === undefined) return;
    const { widthPx, heightPx, ratio } = box;
    const colours = traceColours(canvas);
    const xOf = (sample: number): number => (sample / recordedSamples) * widthPx;
    const yOf = (bpm: number): number => {
      const bounded = Math.min(RATES.fastest, bpm);
      return (
        (1 - (bounded - RATES.slowest) / (RATES.fastest - RATES.slowest)) * (heightPx - 10 * ratio) +
        2 * ratio
      );
    };
    context.clearRect(0, 0, widthPx, heightPx);
    context.fillStyle = colours.fine;
    for (const bpm of LINES_BPM) context.fillRect(0, Math.round(yOf(bpm)), widthPx, ratio);
    context.font = `600 ${Math.round(11 * ratio)}px Inter, sans-serif`;
    for (const { code, startSample: from, endSample: to } of marks.rhythms) {
      if (USUAL.has(code)) continue;
      context.globalAlpha = 0.18;
      context.fillStyle = colours.mark;
      context.fillRect(xOf(from), 0, Math.max(ratio, xOf(to) - xOf(from)), heightPx);
      context.globalAlpha = 1;
      context.fillStyle = colours.words;
      if (xOf(to) - xOf(from) > 34 * ratio) context.fillText(code, xOf(from) + 4 * ratio, 12 * ratio);
    }
    for (let i = 1; i < marks.beatSamples.length; i++) {
      const sample = marks.beatSamples[i] as number;
      const bpm = (60 * sampleRateHz) / (sample - (marks.beatSamples[i - 1] as number));
      context.fillStyle = colours.strongLine;
      // So long without a beat is a pause, which has a band, or time that was not read: neither is a rate.
      if (bpm >= RATES.slowest) context.fillRect(xOf(sample) - ratio / 2, yOf(bpm), 1.5 * ratio, 1.5 * ratio);
      if ('NQ'.includes(marks.beatLabels[i] ?? 'N')) continue;
      context.fillStyle = colours.mark;
      context.fillRect(xOf(sample) - ratio, heightPx - 6 * ratio, 2 * ratio, 6 * ratio);
    }
  }, [ref, box, marks, recordedSamples, sampleRateHz, colorScheme]);
  const go = ({ nativeEvent, currentTarget }: PointerEvent<HTMLCanvasElement>): void =>
    onGo((nativeEvent.offsetX / currentTarget.clientWidth) * recordedSamples - sampleCount / 2);
  return (
    <div className={classes.overview}>
      <canvas
        ref={ref}
        role="img"
        aria-label={t('review.whole')}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          go(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) go(event);
        }}
      />
      <i
        style={{
          left: `${(100 * startSample) / recordedSamples}%`,
          width: `${Math.min(100, (100 * sampleCount) / recordedSamples)}%`,
        }}
      />
    </div>
  );
}
