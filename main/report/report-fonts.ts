// The fonts of reports, parsed once a thread, and how their texts are laid out. pdfkit itself parses the fonts for every
// report, and lays a text out every time it is measured. The PDF is the same, byte for byte.

/** Figures of one width; letters stand as their pairs ask for. */
export const FEATURES: PDFKit.Mixins.OpenTypeFeatures[] = ['tnum', 'kern'];

const WEIGHTS = ['regular', 'semiBold', 'bold'] as const;
export type Weight = (typeof WEIGHTS)[number];

/** The bytes of each font; the same arrays for every report of a thread. */
export type FontFiles = Readonly<Record<Weight, Uint8Array>>;

/** As fontkit reads it. */
interface ParsedFont {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

interface EmbeddedFont {
  readonly font: ParsedFont;
  layoutRun: (text: string, features?: PDFKit.Mixins.OpenTypeFeatures[]) => object;
}

/** What pdfkit has no public form for: the font that is chosen, and that fonts may have been read before. */
interface FontInternals {
  readonly _font: EmbeddedFont;
  registerFont(name: Weight, font: ParsedFont | Buffer): void;
}

/** Fonts that were read before, by their bytes. */
const PARSED = new WeakMap<Uint8Array, ParsedFont>();

/** pdfkit keeps layouts itself, but not where features are asked for. */
function keepLayouts(font: EmbeddedFont): void {
  const layOut = font.layoutRun.bind(font);
  const kept = new Map<string, object>();
  font.layoutRun = (text, features) => {
    if (features !== FEATURES) return layOut(text, features);
    const run = kept.get(text) ?? layOut(text, features);
    kept.set(text, run);
    return run;
  };
}

export class ReportFonts {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #internals: FontInternals;
  readonly #files: FontFiles;
  readonly #chosen = new Set<Weight>();

  constructor(pdf: PDFKit.PDFDocument, files: FontFiles) {
    this.#pdf = pdf;
    this.#internals = pdf as unknown as FontInternals;
    this.#files = files;
    for (const weight of WEIGHTS) {
      const bytes = files[weight];
      this.#internals.registerFont(weight, PARSED.get(bytes) ?? Buffer.from(bytes));
    }
  }

  /** Until another one is chosen. */
  choose(weight: Weight, size: number): void {
    this.#pdf.font(weight).fontSize(size);
    if (this.#chosen.has(weight)) return;
    this.#chosen.add(weight);
    const { _font: embedded } = this.#internals;
    keepLayouts(embedded);
    PARSED.set(this.#files[weight], embedded.font);
  }

  /** Whether the chosen font has a character. */
  hasGlyph(codePoint: number): boolean {
    return this.#internals._font.font.hasGlyphForCodePoint(codePoint);
  }
}
