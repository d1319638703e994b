// The page of the bench: the same signal, drawn by our picture, by uPlot, by chart.js, or by nobody; told by
// the bench what to do.

import {
  CategoryScale,
  Chart,
  Decimation,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
} from 'chart.js';
import uPlot from 'uplot';
import { synthesiseEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import { connectBridge } from '../../../renderer/bridge/connect.ts';
import { traceColours } from '../../../renderer/trace/colours.ts';
import { DIAGNOSTIC } from '../../../renderer/trace/display-filter.ts';
import { drawReview } from '../../../renderer/trace/draw-review.ts';
import { LiveSignal } from '../../../renderer/trace/live-signal.ts';
import { LiveView } from '../../../renderer/trace/live-view.ts';
import { layoutReview, PAGE_MM } from '../../../renderer/trace/review-layout.ts';
import { decodeSamples, encodeSamples, type SamplePiece } from '../../../shared/bridge/sample-message.ts';
import { LEAD_CODES } from '../../../shared/signal/lead.ts';

const RATE_HZ = 1000;
const LEADS = LEAD_CODES.slice(0, 12);
const PIECE = 20;
const WIDTH = 1860;
const HEIGHT = 960;
const PX_PER_MM = 3.6;
const SECONDS_SHOWN = 20;
const LSB_UV = 1;

type Variant = 'sweep' | 'scroll' | 'uplot' | 'chartjs' | 'review' | 'reviewUplot' | 'nothing';

interface Drawing {
  add(piece: SamplePiece): void;
  /** One frame; nothing for those that draw by themselves. */
  frame?(): void;
  close(): void;
}

/** Ten seconds of messages, as they come from a device: their numbers are set when they are sent. */
function makeMessages(): Uint8Array[] {
  const { samplesUv } = synthesiseEcg({
    leads: LEADS,
    sampleRateHz: RATE_HZ,
    durationSeconds: 10,
    seed: 5,
    rhythm: 'sinus',
    noiseUv: 10,
  });
  return Array.from({ length: (10 * RATE_HZ) / PIECE }, (_, n) =>
    encodeSamples({
      isSimulated: false,
      isAfterGap: false,
      saturated: 0,
      firstSample: 0,
      arrivalMs: 0,
      rateHz: RATE_HZ,
      lsbUv: LSB_UV,
      leads: samplesUv.map((lead) =>
        Int32Array.from(lead.subarray(n * PIECE, (n + 1) * PIECE), (uv) => Math.round(uv / LSB_UV)),
      ),
    }),
  );
}

function field(): HTMLElement {
  const element = document.createElement('div');
  element.style.position = 'absolute';
  element.style.width = `${WIDTH}px`;
  element.style.height = `${HEIGHT}px`;
  document.body.replaceChildren(element);
  return element;
}

function ours(mode: 'sweep' | 'scroll'): Drawing {
  const signal = new LiveSignal({ rateHz: RATE_HZ, leadCodes: LEADS, filter: DIAGNOSTIC });
  const view = new LiveView(field());
  const words = { leads: LEADS.map(String), simulated: undefined, missing: String };
  view.showPicture({
    kind: '12x1',
    lead: 0,
    mode,
    speedMmPerS: 25,
    gainMmPerMv: 10,
    pxPerMm: PX_PER_MM,
    words,
    isFrozen: false,
  });
  view.showSignal(signal);
  return {
    add: (piece) => {
      signal.add(piece);
      view.arrived();
    },
    close: () => view.close(),
  };
}

/** The last seconds as plain arrays, oldest first, as charts want them. */
class Window {
  readonly size = SECONDS_SHOWN * RATE_HZ;
  readonly seconds = Float64Array.from({ length: this.size }, (_, i) => i / RATE_HZ);
  readonly leads = LEADS.map(() => new Float32Array(this.size));

  add(piece: SamplePiece): void {
    this.leads.forEach((lead, i) => {
      lead.copyWithin(0, PIECE);
      const from = piece.leads[i] as Float32Array;
      // One above the other, as on paper.
      for (let n = 0; n < PIECE; n++) lead[this.size - PIECE + n] = (from[n] as number) - 2 * i;
    });
  }
}

/** Leads one above the other. */
const STACKED: uPlot.Options = {
  width: WIDTH,
  height: HEIGHT,
  legend: { show: false },
  cursor: { show: false },
  scales: { x: { time: false }, y: { range: [-24, 2] } },
  series: [{}, ...LEADS.map(() => ({ stroke: 'black', width: 1, points: { show: false } }))],
};

function byUplot(): Drawing {
  const window = new Window();
  const data = (): uPlot.AlignedData => [window.seconds, ...window.leads] as unknown as uPlot.AlignedData;
  const plot = new uPlot(STACKED, data(), field());
  return {
    add: (piece) => window.add(piece),
    frame: () => plot.setData(data()),
    close: () => plot.destroy(),
  };
}

function byChartJs(): Drawing {
  Chart.register(LineController, LineElement, PointElement, LinearScale, CategoryScale, Decimation);
  const window = new Window();
  const canvas = document.createElement('canvas');
  field().append(canvas);
  const points = window.leads.map(() =>
    Array.from({ length: window.size }, (_, i) => ({ x: i / RATE_HZ, y: 0 })),
  );
  const chart = new Chart(canvas, {
    type: 'line',
    data: {
      datasets: points.map((data) => ({ data, borderColor: 'black', borderWidth: 1, pointRadius: 0 })),
    },
    options: {
      animation: false,
      parsing: false,
      normalized: true,
      responsive: true,
      maintainAspectRatio: false,
      plugins: { decimation: { enabled: true, algorithm: 'min-max' } },
      scales: { x: { type: 'linear', min: 0, max: SECONDS_SHOWN }, y: { min: -24, max: 2 } },
    },
  });
  return {
    add: (piece) => window.add(piece),
    frame() {
      window.leads.forEach((lead, i) => {
        const own = points[i] as { y: number }[];
        for (let n = 0; n < window.size; n++) (own[n] as { y: number }).y = lead[n] as number;
      });
      chart.data.datasets.forEach((dataset, i) => {
        dataset.data = points[i] as { x: number; y: number }[];
      });
      chart.update('none');
    },
    close: () => chart.destroy(),
  };
}

/** A recorded page moves along by so much with every frame. */
const STEP_SAMPLES = 12;
const PAGE_SAMPLES = 10 * RATE_HZ;

interface RecordedPage {
  /** A minute, once and its first seconds again. */
  readonly leads: readonly Float32Array[];
  next(): number;
}

function recordedPage(): RecordedPage {
  const { samplesUv } = synthesiseEcg({
    leads: LEADS,
    sampleRateHz: RATE_HZ,
    durationSeconds: 70,
    seed: 5,
    rhythm: 'sinus',
    noiseUv: 10,
  });
  let start = 0;
  return {
    leads: samplesUv.map((lead) => Float32Array.from(lead, (uv) => uv / 1000)),
    next() {
      start = (start + STEP_SAMPLES) % (60 * RATE_HZ);
      return start;
    },
  };
}

function byReview(): Drawing {
  const page = recordedPage();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  field().append(canvas);
  const names = LEADS.map(String);
  const shared = { heightPx: HEIGHT, pxPerMm: PX_PER_MM, ratio: 1, speedMmPerS: 25 };
  const cells = layoutReview({ ...shared, pageMm: PAGE_MM, kind: '12x1', leadNames: names, onlyLead: 0 });
  return {
    add: () => undefined,
    frame() {
      const start = page.next();
      const leads = page.leads.map((lead, i) => ({
        name: names[i] as string,
        isCalibrated: true,
        mv: lead.subarray(start, start + PAGE_SAMPLES),
      }));
      drawReview(
        canvas.getContext('2d') as CanvasRenderingContext2D,
        {
          ...shared,
          widthPx: WIDTH,
          gainMmPerMv: 10,
          sampleRateHz: RATE_HZ,
          cells,
          leads,
          marked: [],
          spikes: [],
          simulated: undefined,
        },
        traceColours(canvas),
      );
    },
    close: () => undefined,
  };
}

function byReviewUplot(): Drawing {
  const page = recordedPage();
  const seconds = Float64Array.from({ length: PAGE_SAMPLES }, (_, i) => i / RATE_HZ);
  // One above the other, as on paper.
  const stacked = page.leads.map((lead, i) => lead.map((mv) => mv - 2 * i));
  const data = (): uPlot.AlignedData => {
    const start = page.next();
    return [
      seconds,
      ...stacked.map((lead) => lead.subarray(start, start + PAGE_SAMPLES)),
    ] as unknown as uPlot.AlignedData;
  };
  const plot = new uPlot(STACKED, data(), field());
  return {
    add: () => undefined,
    frame: () => plot.setData(data()),
    close: () => plot.destroy(),
  };
}

const nothing = (): Drawing => ({ add: () => undefined, close: () => undefined });
const DRAWINGS: { readonly [V in Variant]: () => Drawing } = {
  sweep: () => ours('sweep'),
  scroll: () => ours('scroll'),
  uplot: byUplot,
  chartjs: byChartJs,
  review: byReview,
  reviewUplot: byReviewUplot,
  nothing,
};

class Run {
  readonly #drawing: Drawing;
  readonly #messages = makeMessages();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #startMs = performance.now();
  #sent = 0;
  #frame = 0;
  #lastMs = 0;
  intervalsMs: number[] = [];

  constructor(variant: Variant) {
    this.#drawing = DRAWINGS[variant]();
    // Samples come in their own time; a slow page gets what has come meanwhile.
    this.#timer = setInterval(() => this.#feed(), PIECE);
    this.#frame = requestAnimationFrame(this.#next);
  }

  #feed(): void {
    for (
      const due = ((performance.now() - this.#startMs) * RATE_HZ) / 1000;
      this.#sent + PIECE <= due;
      this.#sent += PIECE
    ) {
      const message = this.#messages[(this.#sent / PIECE) % this.#messages.length] as Uint8Array;
      new DataView(message.buffer).setFloat64(16, this.#sent, true);
      const piece = decodeSamples(message);
      if (piece !== undefined) this.#drawing.add(piece);
    }
  }

  #next = (nowMs: number): void => {
    this.#frame = requestAnimationFrame(this.#next);
    if (this.#lastMs > 0) this.intervalsMs.push(nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    this.#drawing.frame?.();
  };

  close(): void {
    clearInterval(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#drawing.close();
  }
}

/**
 * From the arrival of bytes at the workstation to the refresh that shows them, in milliseconds.
 * @param hostOriginMs when the clock of the workstation's process began
 */
async function latencies(hostOriginMs: number, seconds: number): Promise<number[]> {
  const { bridge } = await connectBridge();
  const { devices } = await bridge.call('desk.list', {});
  const device = devices.find(({ rateHz }) => rateHz !== undefined);
  if (device?.rateHz === undefined) throw new Error('no device');
  const arrivals: { readonly end: number; readonly epochMs: number }[] = [];
  const found: number[] = [];
  const view = new LiveView(field(), ({ drawnEnd }) => {
    const drawn: number[] = [];
    while (arrivals[0] !== undefined && arrivals[0].end <= drawnEnd)
      drawn.push((arrivals.shift() as { epochMs: number }).epochMs);
    // On the screen with the next refresh.
    if (drawn.length > 0)
      requestAnimationFrame((shownMs) => {
        for (const epochMs of drawn) found.push(performance.timeOrigin + shownMs - epochMs);
      });
  });
  const signal = new LiveSignal({ rateHz: device.rateHz, leadCodes: device.leads, filter: DIAGNOSTIC });
  const words = { leads: signal.leads.map(({ code }) => code), simulated: undefined, missing: String };
  view.showPicture({
    kind: '6x2',
    lead: 0,
    mode: 'sweep',
    speedMmPerS: 25,
    gainMmPerMv: 10,
    pxPerMm: PX_PER_MM,
    words,
    isFrozen: false,
  });
  view.showSignal(signal);
  const end = bridge.on('desk.samples', ({ bytes }) => {
    const piece = decodeSamples(bytes);
    if (piece === undefined) return;
    arrivals.push({
      end: piece.firstSample + (piece.leads[0]?.length ?? 0),
      epochMs: hostOriginMs + piece.arrivalMs,
    });
    signal.add(piece);
    view.arrived();
  });
  await new Promise((resolve) => setTimeout(resolve, 3000));
  found.length = 0;
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  end();
  view.close();
  return found;
}

let running: Run | undefined;
const bench = {
  start(variant: Variant): void {
    running?.close();
    running = new Run(variant);
  },
  /** Intervals of frames since the last time it was asked. */
  intervals(): number[] {
    const intervals = running?.intervalsMs ?? [];
    if (running !== undefined) running.intervalsMs = [];
    return intervals;
  },
  stop(): void {
    running?.close();
    running = undefined;
  },
  latencies,
};
export type Bench = typeof bench;
Object.assign(globalThis, { bench });
