// The live picture on the page: paper, traces on it, the loop of frames. React makes the element and says
// what is to be seen; nothing of React runs while frames are drawn.

import { traceColours } from './colours.ts';
import { type EcgLayout, type EcgScale, type LayoutKind, layoutEcg } from './ecg-layout.ts';
import type { LiveSignal } from './live-signal.ts';
import type { MarkLook } from './mark-painter.ts';
import { drawPaper, type PaperWords } from './paper.ts';
import { PlayOut } from './play-out.ts';
import { ScrollPainter, TILE_COLUMNS, type Tile, tilesFor } from './scroll-painter.ts';
import { SweepPainter } from './sweep-painter.ts';

const TRACE_MM = 0.35;
const LEAST_TRACE_PX = 1.2;
const CAPTION_PX = 22;
const DOT_PX = 2.5;

export interface Picture {
  readonly kind: LayoutKind;
  /** The lead of `single`, among those that are shown. */
  readonly lead: number;
  readonly mode: 'sweep' | 'scroll';
  readonly speedMmPerS: number;
  readonly gainMmPerMv: number;
  /** Pixels of style sheets. */
  readonly pxPerMm: number;
  readonly words: PaperWords;
  readonly isFrozen: boolean;
}

/** What a frame showed, for those who measure it. */
export interface FrameFacts {
  /** Number behind the newest sample that is drawn. */
  readonly drawnEnd: number;
  readonly frameMs: number;
}

type Painter = Pick<SweepPainter, 'paint' | 'drawnEnd' | 'markPace'>;

function canvasIn(parent: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.style.position = 'absolute';
  parent.append(canvas);
  return canvas;
}

const contextOf = (
  canvas: HTMLCanvasElement,
  settings?: CanvasRenderingContext2DSettings,
): CanvasRenderingContext2D => canvas.getContext('2d', settings) as CanvasRenderingContext2D;

/** Nothing shows through paper. With alpha, a computer without a graphics card blends it with the page at every frame. */
const PAPER = { alpha: false } as const;

export class LiveView {
  readonly #element: HTMLElement;
  readonly #paper: HTMLCanvasElement;
  /** Holds the canvases of the traces, which change with the layout. */
  readonly #traces: HTMLElement;
  readonly #resize: ResizeObserver;
  readonly #themes: MutationObserver;
  readonly #onFrame: ((facts: FrameFacts) => void) | undefined;
  #picture: Picture | undefined;
  #signal: LiveSignal | undefined;
  #playOut: PlayOut | undefined;
  #painter: Painter | undefined;
  #head: (() => void) | undefined;
  /** The newest pacing spike that is drawn. */
  #paceDrawn = Number.NEGATIVE_INFINITY;
  /** Up to where a frozen picture shows the signal. */
  #frozenHead: number | undefined;
  #frame = 0;

  /** @param element fills the field; nothing else is in it */
  constructor(element: HTMLElement, onFrame?: (facts: FrameFacts) => void) {
    this.#element = element;
    this.#onFrame = onFrame;
    this.#paper = canvasIn(element);
    // After a fault of the graphics card canvases come back empty, and pens without their colours.
    this.#paper.addEventListener('contextrestored', () => this.#lay());
    this.#traces = document.createElement('div');
    element.append(this.#traces);
    this.#resize = new ResizeObserver(() => this.#lay());
    this.#resize.observe(element);
    this.#themes = new MutationObserver(() => this.#lay());
    this.#themes.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-mantine-color-scheme'],
    });
    this.#frame = requestAnimationFrame(this.#draw);
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#resize.disconnect();
    this.#themes.disconnect();
    this.#paper.remove();
    this.#traces.remove();
  }

  /**
   * Another device, or other leads. Seconds that the signal holds already are drawn at once when the next
   * ones come.
   */
  showSignal(signal: LiveSignal | undefined): void {
    this.#frozenHead = undefined;
    this.#signal = signal;
    this.#playOut = signal === undefined ? undefined : new PlayOut(signal.ring.rateHz);
    this.#lay();
  }

  showPicture(picture: Picture): void {
    const wasFrozen = this.#picture?.isFrozen === true;
    // A frozen picture stays as it stands.
    const isOnlyFrozen = this.#picture !== undefined && picture.isFrozen && !wasFrozen;
    this.#picture = picture;
    if (isOnlyFrozen) this.#frozenHead = this.#painter === undefined ? undefined : this.#painter.drawnEnd - 1;
    else this.#lay();
    if (!picture.isFrozen) this.#frozenHead = undefined;
  }

  /** The signal goes on. */
  arrived(): void {
    if (this.#signal !== undefined) this.#playOut?.arrived(this.#signal.ring.end, performance.now());
  }

  /** Redraws the picture: another filter, another order, another patient. */
  redraw(): void {
    this.#lay();
  }

  /** Everything that stands still is drawn, and the traces start again from what is there. */
  #lay(): void {
    const picture = this.#picture;
    const { clientWidth, clientHeight } = this.#element;
    this.#traces.replaceChildren();
    this.#painter = undefined;
    this.#head = undefined;
    this.#paceDrawn = Number.NEGATIVE_INFINITY;
    if (picture === undefined || clientWidth === 0 || clientHeight === 0) return;
    const ratio = devicePixelRatio;
    const [widthPx, heightPx] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    const scale: EcgScale = { ...picture, pxPerMm: picture.pxPerMm * ratio };
    const leadCount = picture.words.leads.length;
    const layout = layoutEcg({
      ...picture,
      widthPx,
      heightPx: heightPx - Math.round(CAPTION_PX * ratio),
      leadCount,
      scale,
    });
    this.#fit(this.#paper, 0, widthPx, heightPx);
    const context = contextOf(this.#paper, PAPER);
    drawPaper(context, layout, heightPx, picture.words, traceColours(this.#element), ratio);
    if (this.#signal === undefined || leadCount !== this.#signal.leads.length) return;
    if (picture.mode === 'sweep') this.#laySweep(layout, this.#signal);
    else this.#layScroll(layout, this.#signal);
  }

  #fit(canvas: HTMLCanvasElement, left: number, width: number, height: number): void {
    const ratio = devicePixelRatio;
    canvas.width = width;
    canvas.height = height;
    canvas.style.left = `${left / ratio}px`;
    canvas.style.top = '0';
    canvas.style.width = `${width / ratio}px`;
    canvas.style.height = `${height / ratio}px`;
  }

  #look(): MarkLook {
    const { mark, pace } = traceColours(this.#element);
    return { mark, pace, missing: (seconds, isMore) => this.#picture?.words.missing(seconds, isMore) ?? '' };
  }

  #pen(canvas: HTMLCanvasElement, pxPerMm: number): CanvasRenderingContext2D {
    const context = contextOf(canvas);
    context.strokeStyle = traceColours(this.#element).trace;
    context.lineWidth = Math.max(LEAST_TRACE_PX * devicePixelRatio, TRACE_MM * pxPerMm);
    context.lineJoin = 'round';
    return context;
  }

  #laySweep(layout: EcgLayout, signal: LiveSignal): void {
    const canvas = canvasIn(this.#traces);
    this.#fit(canvas, 0, layout.widthPx, layout.heightPx);
    const context = this.#pen(canvas, layout.scale.pxPerMm);
    const colours = traceColours(this.#element);
    const painter = new SweepPainter(context, layout, signal.ring, this.#look());
    this.#painter = painter;
    this.#head = () => drawHeads(context, layout, signal, painter, colours.trace);
  }

  #layScroll(layout: EcgLayout, signal: LiveSignal): void {
    const ratio = devicePixelRatio;
    const tiles = layout.strips.map(({ left }) => {
      const window = document.createElement('div');
      window.style.cssText = 'position: absolute; top: 0; overflow: hidden; contain: strict';
      window.style.left = `${left / ratio}px`;
      window.style.width = `${layout.columns / ratio}px`;
      window.style.height = `${layout.heightPx / ratio}px`;
      this.#traces.append(window);
      return Array.from({ length: tilesFor(layout.columns) }, (): Tile => {
        const canvas = canvasIn(window);
        this.#fit(canvas, 0, TILE_COLUMNS, layout.heightPx);
        canvas.style.willChange = 'transform';
        canvas.style.transform = `translate3d(${-TILE_COLUMNS}px, 0, 0)`;
        const surface = this.#pen(canvas, layout.scale.pxPerMm);
        return {
          surface,
          moveTo: (x) => {
            canvas.style.transform = `translate3d(${x / ratio}px, 0, 0)`;
          },
        };
      });
    });
    this.#painter = new ScrollPainter(tiles, layout, signal.ring, this.#look());
  }

  #draw = (frameMs: number): void => {
    this.#frame = requestAnimationFrame(this.#draw);
    const [painter, playOut, signal] = [this.#painter, this.#playOut, this.#signal];
    if (painter === undefined || playOut === undefined || signal === undefined) return;
    const isFrozen = this.#picture?.isFrozen === true;
    // Where the picture stands still, only a new size or layout is drawn, with the seconds that stood there.
    if (isFrozen && (this.#frozenHead === undefined || !Number.isNaN(painter.drawnEnd))) return;
    if (!painter.paint(isFrozen ? (this.#frozenHead as number) : playOut.head(frameMs))) return;
    for (const pace of signal.paces) {
      if (pace <= this.#paceDrawn) continue;
      if (!painter.markPace(pace)) break;
      this.#paceDrawn = pace;
    }
    this.#head?.();
    this.#onFrame?.({ drawnEnd: painter.drawnEnd, frameMs });
  };
}

/** A dot before each line, on what the next frame erases. */
function drawHeads(
  context: CanvasRenderingContext2D,
  layout: EcgLayout,
  { ring }: LiveSignal,
  painter: SweepPainter,
  colour: string,
): void {
  const radius = DOT_PX * devicePixelRatio;
  const x = painter.headX;
  if (x < 0 || x + 2 * radius + 1 >= layout.columns) return;
  const { gainMmPerMv, pxPerMm } = layout.scale;
  const place = (painter.drawnEnd - 1) & ring.mask;
  context.fillStyle = colour;
  context.beginPath();
  for (const { left, cells } of layout.strips)
    for (const { lead, baselineY } of cells) {
      const mv = (ring.mv[lead] as Float32Array)[place] as number;
      if (Number.isNaN(mv)) continue;
      const y = baselineY - mv * gainMmPerMv * pxPerMm;
      context.moveTo(left + x + 1 + 2 * radius, y);
      context.arc(left + x + 1 + radius, y, radius, 0, 2 * Math.PI);
    }
  context.fill();
}
