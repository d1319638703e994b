// One lead of a running device, drawn as it comes: a sweep with a bar that erases what is old. True to scale by the density of the screen
// that the browser assumes; React has no part in it.

import type { SamplePiece } from '../../shared/bridge/sample-message.ts';
import { SAMPLE_STATE } from '../../shared/bridge/sample-message.ts';

const PX_PER_MM = 96 / 25.4;
const SPEED_MM_PER_S = 25;
const GAIN_MM_PER_MV = 10;
const ERASE_MM = 5;
const RING_SECONDS = 20;
/** Behind what has arrived, so that pieces that come late are not seen to come late. */
const DELAY_MS = 60;

interface Colours {
  readonly screen: string;
  readonly fine: string;
  readonly strong: string;
  readonly trace: string;
  readonly alarm: string;
}

function coloursOf(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return { screen: of('--screen'), fine: of('--grid-fine'), strong: of('--grid-strong'), trace: of('--trace'), alarm: of('--bad') };
}

export class LiveStrip {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #simulatedText: string;
  #lead = 0;
  #rateHz = 0;
  #mv = new Float32Array(0);
  #valid = new Uint8Array(0);
  /** Number behind the newest sample. */
  #end = 0;
  #shown = 0;
  #startMs = 0;
  #startSample = 0;
  #base = Number.NaN;
  #isSimulated = false;
  #frame = 0;
  readonly #observer: ResizeObserver;

  constructor(canvas: HTMLCanvasElement, simulatedText: string) {
    this.#canvas = canvas;
    this.#simulatedText = simulatedText;
    this.#context = canvas.getContext('2d') as CanvasRenderingContext2D;
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(canvas);
    this.#resize();
    this.#frame = requestAnimationFrame(this.#draw);
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#observer.disconnect();
  }

  showLead(lead: number): void {
    this.#lead = lead;
    this.#rateHz = 0;
  }

  add({ rateHz, firstSample, states, leads, isSimulated }: SamplePiece): void {
    const mv = leads[this.#lead];
    if (mv === undefined) return;
    if (rateHz !== this.#rateHz) this.#begin(rateHz, firstSample);
    this.#isSimulated = isSimulated;
    const { length } = this.#mv;
    // What is missing is no line.
    for (let sample = Math.max(this.#end, firstSample - length); sample < firstSample; sample++) this.#valid[sample % length] = 0;
    for (let i = 0; i < mv.length; i++) {
      const place = (firstSample + i) % length;
      this.#mv[place] = mv[i] as number;
      this.#valid[place] = ((states[i] as number) & SAMPLE_STATE.invalid) === 0 ? 1 : 0;
    }
    this.#end = firstSample + mv.length;
    const nowMs = performance.now();
    const ahead = this.#startSample + ((nowMs - this.#startMs - DELAY_MS) * rateHz) / 1000 - this.#end;
    // Behind a pause, or where the clocks drift apart, the sweep takes up where the samples are.
    if (Math.abs(ahead) > rateHz) this.#begin(rateHz, firstSample);
  }

  #begin(rateHz: number, firstSample: number): void {
    if (rateHz !== this.#rateHz) {
      this.#mv = new Float32Array(Math.ceil(RING_SECONDS * rateHz));
      this.#valid = new Uint8Array(this.#mv.length);
      this.#shown = firstSample;
      this.#end = firstSample;
    }
    this.#rateHz = rateHz;
    this.#startMs = performance.now();
    this.#startSample = firstSample;
    this.#base = Number.NaN;
  }

  #resize(): void {
    const ratio = devicePixelRatio;
    const { clientWidth, clientHeight } = this.#canvas;
    this.#canvas.width = Math.max(1, Math.round(clientWidth * ratio));
    this.#canvas.height = Math.max(1, Math.round(clientHeight * ratio));
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#erase(0, clientWidth, coloursOf(this.#canvas));
    this.#shown = Math.max(0, this.#end - this.#mv.length);
  }

  #erase(from: number, to: number, colours: Colours): void {
    const { clientHeight: height } = this.#canvas;
    const context = this.#context;
    context.fillStyle = colours.screen;
    context.fillRect(from, 0, to - from, height);
    for (const [stepMm, colour] of [
      [1, colours.fine],
      [5, colours.strong],
    ] as const) {
      context.fillStyle = colour;
      for (let n = Math.floor(from / PX_PER_MM / stepMm); n * stepMm * PX_PER_MM < to; n++) {
        const x = Math.round(n * stepMm * PX_PER_MM);
        if (x >= from) context.fillRect(x, 0, 1, height);
      }
      for (let y = height / 2; y < height; y += stepMm * PX_PER_MM) {
        context.fillRect(from, Math.round(y), to - from, 1);
        context.fillRect(from, Math.round(height - y), to - from, 1);
      }
    }
    if (!this.#isSimulated) return;
    context.save();
    context.beginPath();
    context.rect(from, 0, to - from, height);
    context.clip();
    context.globalAlpha = 0.14;
    context.fillStyle = colours.alarm;
    context.font = '700 22px Inter, sans-serif';
    for (let x = 20; x < this.#canvas.clientWidth; x += 60 * PX_PER_MM) {
      context.save();
      context.translate(x, height - 14);
      context.rotate(-0.2);
      context.fillText(this.#simulatedText, 0, 0);
      context.restore();
    }
    context.restore();
  }

  #draw = (): void => {
    this.#frame = requestAnimationFrame(this.#draw);
    if (this.#rateHz === 0) return;
    const due = this.#startSample + ((performance.now() - this.#startMs - DELAY_MS) * this.#rateHz) / 1000;
    const to = Math.min(this.#end, Math.floor(due));
    if (to <= this.#shown) return;
    const from = Math.max(this.#shown, to - this.#mv.length);
    this.#sweep(from, to);
    this.#shown = to;
  };

  #sweep(from: number, to: number): void {
    const colours = coloursOf(this.#canvas);
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const pxPerSample = (SPEED_MM_PER_S * PX_PER_MM) / this.#rateHz;
    const begin = (from * pxPerSample) % width;
    const end = begin + (to - from) * pxPerSample + ERASE_MM * PX_PER_MM;
    this.#erase(Math.ceil(begin), Math.min(width, end), colours);
    if (end > width) this.#erase(0, end - width, colours);
    const context = this.#context;
    context.strokeStyle = colours.trace;
    context.lineWidth = 1.3;
    context.lineJoin = 'round';
    context.beginPath();
    let [isDrawing, lastX] = [false, -1];
    for (let sample = Math.max(0, from - 1); sample < to; sample++) {
      const place = sample % this.#mv.length;
      if (this.#valid[place] === 0) {
        isDrawing = false;
        continue;
      }
      const mv = this.#mv[place] as number;
      this.#base = Number.isNaN(this.#base) ? mv : this.#base + (mv - this.#base) / (2 * this.#rateHz);
      const x = (sample * pxPerSample) % width;
      const y = height / 2 - (mv - this.#base) * GAIN_MM_PER_MV * PX_PER_MM;
      if (isDrawing && x >= lastX) context.lineTo(x, y);
      else context.moveTo(x, y);
      isDrawing = true;
      lastX = x;
    }
    context.stroke();
  }
}
