// The fonts of reports, parsed once a thread, and how their texts are laid out. pdfkit itself parses the fonts for every
// report, and lays a text out every time it is measured. The PDF is the same, byte for byte.

import type { ScriptFont } from './script-runs.ts';

/** Figures of one width; letters stand as their pairs ask for. */
export const FEATURES: PDFKit.Mixins.OpenTypeFeatures[] = ['tnum', 'kern'];

const WEIGHTS = ['regular', 'semiBold', 'bold'] as const;
export type Weight = (typeof WEIGHTS)[number];

/** The bytes of each font; the same arrays for every report of a thread. */
export interface FontFiles extends Readonly<Record<Weight, Uint8Array>> {
  /** For letters that the report's own font lacks; each is read when the first of them is met. */
  readonly scripts: readonly ScriptFont[];
}

/** As fontkit reads it. */
interface ParsedFont {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

interface EmbeddedFont {
  readonly font: ParsedFont;
  /** In thousandths of the size. */
  readonly ascender: number;
  layoutRun: (text: string, features?: PDFKit.Mixins.OpenTypeFeatures[]) => object;
}

/** What pdfkit has no public form for: the font that is chosen, and that fonts may have been read before. */
interface FontInternals {
  readonly _font: EmbeddedFont;
  registerFont(name: string, font: ParsedFont | Buffer): void;
}

const hasAll = (font: ParsedFont | undefined, letter: string): boolean =>
  font !== undefined &&
  [...letter].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) as number));

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
  readonly #chosen = new Map<string, EmbeddedFont>();

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
    this.#choose(weight, this.#files[weight], size);
  }

  /** @returns how far above its baseline it reaches, in parts of the size */
  chooseScript({ name, bytes }: ScriptFont, size: number): number {
    if (!this.#chosen.has(name))
      this.#internals.registerFont(name, PARSED.get(bytes()) ?? Buffer.from(bytes()));
    return this.#choose(name, bytes(), size).ascender / 1000;
  }

  #choose(name: string, bytes: Uint8Array, size: number): EmbeddedFont {
    this.#pdf.font(name).fontSize(size);
    const known = this.#chosen.get(name);
    if (known !== undefined) return known;
    const { _font: embedded } = this.#internals;
    this.#chosen.set(name, embedded);
    keepLayouts(embedded);
    PARSED.set(bytes, embedded.font);
    return embedded;
  }

  /** How far a font of the report reaches above its baseline, in parts of the size. */
  ascender(weight: Weight): number {
    return (this.#chosen.get(weight)?.ascender ?? 0) / 1000;
  }

  /** Whether a font of the report that was chosen has all of a letter. */
  hasLetter(weight: Weight, letter: string): boolean {
    return hasAll(this.#chosen.get(weight)?.font, letter);
  }

  /** The font of another script that has all of a letter. */
  scriptOf(letter: string): ScriptFont | undefined {
    const script = this.#files.scripts.find(({ letters }) => letters.test(letter));
    if (script === undefined) return undefined;
    this.chooseScript(script, 1);
    return hasAll(this.#chosen.get(script.name)?.font, letter) ? script : undefined;
  }
}
