// A PDF that is written in millimetres, tagged as it is written: PDF 1.7, PDF/A-3b. The same calls give the same bytes.

import PDFDocument from 'pdfkit';
import type { Language } from '../../shared/language.ts';
import { CONTENT, type Orientation, type PageSize, type Paper, pt, sheetSize } from './paper-size.ts';
import type { ReportFile } from './report-file.ts';
import { FEATURES, type FontFiles, ReportFonts, type Weight } from './report-fonts.ts';
import { lettersOf, type Run, runsOf } from './script-runs.ts';

export type Pdf = PDFKit.PDFDocument;

export interface ReportResources extends FontFiles {
  /** The colour space of all colours: an ICC profile. */
  readonly sRgb: Uint8Array;
}

export interface TextStyle {
  /** Points. */
  readonly size: number;
  readonly weight?: Weight;
  readonly colour?: string;
  readonly align?: 'left' | 'right' | 'centre';
  /** The room that the line has; it is shortened to it. */
  readonly widthMm?: number;
  /** Within tables and lists. */
  readonly role?: 'P' | 'H1' | 'H2' | 'TH' | 'TD' | 'Span';
}

export interface Page extends PageSize {
  readonly index: number;
  /** Where the content begins, from the corner of the sheet. */
  readonly leftMm: number;
  readonly topMm: number;
  readonly orientation: Orientation;
}

export interface ReportPdfOptions {
  readonly title: string;
  readonly language: Language;
  readonly paper: Paper;
  readonly createdMs: number;
}

export const COLOURS = {
  ink: '#10222a',
  second: '#465a63',
  trace: '#0d1417',
  fine: '#f7dfd9',
  strong: '#e8b3a8',
  mark: '#0a5a78',
  rule: '#9fb0b8',
  table: '#cfd9dd',
  alarm: '#a3171f',
} as const;

/** No line has room for more; longer texts are cut before they are measured. */
const MAX_LINE_CHARACTERS = 400;

/** Parts of pdfkit that have no public form. */
interface PdfInternals {
  readonly _root: {
    readonly data: {
      readonly ViewerPreferences: { readonly data: Record<string, unknown> };
      OutputIntents?: unknown;
    };
  };
  _addColorOutputIntent: () => void;
}

type Structure = ReturnType<Pdf['struct']>;

/** pdfkit ends an object without more bytes; its types ask for some. */
const end = (object: PDFKit.PDFKitReference): void => object.end(undefined as unknown as Buffer);

/** Some scripts reach further below the line than Latin letters do: a little smaller, they leave the next line free. */
const SCRIPT_SHARE = 0.88;

/**
 * Latin, Greek and Cyrillic letters, and the signs between them: these need no other font and are written from left to right. Digits and
 * signs of other scripts are not among them, nor letters of full width.
 */
const PLAIN =
  /^[\x20-\x7e\u00a0-\u024f\u0370-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u209f\u20a0-\u22ff]*$/;

const FROM_RIGHT = /[\p{sc=Arab}\p{sc=Hebr}]/u;

/** The font of the report has all of it. */
const ASCII = /^[\x20-\x7e]*$/;

/** A word that no line holds is broken, between letters. */
function pieces(word: string, fits: (part: string) => boolean): string[] {
  const letters = lettersOf(word);
  if (fits(word) || letters.length < 2) return [word];
  let length = letters.length - 1;
  while (length > 1 && !fits(letters.slice(0, length).join(''))) length--;
  return [letters.slice(0, length).join(''), ...pieces(letters.slice(length).join(''), fits)];
}

export class ReportPdf {
  readonly pdf: Pdf;
  readonly #paper: Paper;
  readonly #parents: Structure[];
  readonly #pages: Page[] = [];
  readonly #fonts: ReportFonts;
  #page: Page | undefined;
  #isChosen = false;

  constructor({ title, language, paper, createdMs }: ReportPdfOptions, resources: ReportResources) {
    const created = new Date(createdMs);
    this.#paper = paper;
    this.pdf = new PDFDocument({
      autoFirstPage: false,
      bufferPages: true,
      margin: 0,
      // None, until one of ours is chosen: pdfkit would load a standard font that no report uses.
      font: '',
      pdfVersion: '1.7',
      subset: 'PDF/A-3b' as 'PDF/A-3',
      tagged: true,
      // No names in the document's metadata: it travels further than the page (SEC34).
      info: {
        Title: title,
        Producer: 'Isoline',
        Creator: 'Isoline',
        CreationDate: created,
        ModDate: created,
      },
      lang: language,
      displayTitle: true,
    });
    const internals = this.pdf as unknown as PdfInternals;
    // Viewers must not scale: millimetres on paper are the point of it. pdfkit has no public way to say so.
    internals._root.data.ViewerPreferences.data.PrintScaling = 'None';
    // pdfkit reads its profile from a file beside its source, which is not there in a bundle.
    internals._addColorOutputIntent = () => this.#addColourSpace(resources.sRgb);
    this.#fonts = new ReportFonts(this.pdf, resources);
    const root = this.pdf.struct('Document');
    this.pdf.addStructure(root);
    this.#parents = [root];
  }

  #addColourSpace(profile: Uint8Array): void {
    const stream = this.pdf.ref({ N: 3 });
    stream.write(Buffer.from(profile));
    end(stream);
    const intent = this.pdf.ref({
      Type: 'OutputIntent',
      S: 'GTS_PDFA1',
      Info: new String('sRGB IEC61966-2.1'),
      OutputConditionIdentifier: new String('sRGB IEC61966-2.1'),
      DestOutputProfile: stream,
    });
    end(intent);
    (this.pdf as unknown as PdfInternals)._root.data.OutputIntents = [intent];
  }

  get pages(): readonly Page[] {
    return this.#pages;
  }

  get page(): Page {
    if (this.#page === undefined) throw new Error('a report has no page yet');
    return this.#page;
  }

  addPage(orientation: Orientation): Page {
    const sheet = sheetSize(this.#paper, orientation);
    const content = CONTENT[orientation];
    this.pdf.addPage({ size: [pt(sheet.widthMm), pt(sheet.heightMm)], margin: 0 });
    this.#page = {
      ...content,
      orientation,
      index: this.#pages.length,
      leftMm: (sheet.widthMm - content.widthMm) / 2,
      topMm: (sheet.heightMm - content.heightMm) / 2,
    };
    this.#pages.push(this.#page);
    return this.#page;
  }

  /** Goes on with a page that was left. */
  turnTo(page: Page): void {
    this.pdf.switchToPage(page.index);
    this.#page = page;
  }

  /** Points from the sheet's left edge. @param mm from the content's. */
  x(mm: number): number {
    return pt(this.page.leftMm + mm);
  }

  y(mm: number): number {
    return pt(this.page.topMm + mm);
  }

  /** What is written within belongs together: a table, a row, a list. */
  group(type: string, work: () => void): void {
    const element = this.pdf.struct(type as 'Sect');
    this.#parents.at(-1)?.add(element);
    this.#parents.push(element);
    work();
    this.#parents.pop();
    element.end();
  }

  /** A picture, with the words that stand for it. */
  figure(alt: string, work: () => void): void {
    this.#mark('Figure', work, { alt });
  }

  /** Marks what a screen reader skips: lines, grids, and what every page repeats. */
  artifact(work: () => void): void {
    this.pdf.markContent('Artifact', { type: 'Layout' });
    work();
    this.pdf.endMarkedContent();
  }

  #mark(type: string, work: () => void, options: { alt?: string; actual?: string } = {}): void {
    const element = this.pdf.struct(type as 'P', options);
    const content = this.pdf.markStructureContent(type as 'P');
    work();
    this.pdf.endMarkedContent();
    element.add(content);
    element.end();
    this.#parents.at(-1)?.add(element);
  }

  /**
   * A text with its letters composed. Those that no font has become question marks: an empty box or nothing at all could pass for
   * the whole name.
   */
  printable(text: string): string {
    if (ASCII.test(text)) return text;
    return lettersOf(text.normalize('NFC'))
      .map((letter) => (this.#hasLetter(letter) ? letter : '?'))
      .join('');
  }

  /** Asked of the weight that names are printed in: they all have the same letters. */
  #hasLetter(letter: string): boolean {
    if (!this.#isChosen) this.#style({ size: 1 });
    return this.#fonts.hasLetter('regular', letter) || this.#fonts.scriptOf(letter) !== undefined;
  }

  #style({ size, weight = 'regular' }: Pick<TextStyle, 'size' | 'weight'>): Pdf {
    if (!this.#isChosen) this.#fonts.choose('regular', size);
    this.#isChosen = true;
    this.#fonts.choose(weight, size);
    return this.pdf;
  }

  /** @param text printable */
  #runs(text: string): readonly Run[] {
    if (PLAIN.test(text)) return [{ text, font: undefined }];
    return runsOf(text, (letter) =>
      this.#fonts.hasLetter('regular', letter) ? undefined : this.#fonts.scriptOf(letter),
    );
  }

  /** Chooses the font of a run. @returns how much lower than that of the report its text begins, in points */
  #runStyle({ font }: Run, style: TextStyle): number {
    this.#style(style);
    if (font === undefined) return 0;
    const usual = this.#fonts.ascender(style.weight ?? 'regular');
    const size = SCRIPT_SHARE * style.size;
    return usual * style.size - this.#fonts.chooseScript(font, size) * size;
  }

  widthMm(text: string, style: TextStyle): number {
    return this.#widthOf(this.printable(text), style);
  }

  #widthOf(printable: string, style: TextStyle): number {
    const width = this.#runs(printable).reduce((sum, run) => {
      this.#runStyle(run, style);
      return sum + this.pdf.widthOfString(run.text, { features: FEATURES });
    }, 0);
    return width / pt(1);
  }

  /** One line at its place, shortened to its room: what is too long must not push anything else away. */
  text(text: string, xMm: number, yMm: number, style: TextStyle): void {
    if (text === '') return;
    // What is turned round on paper is read aloud and copied as it was written.
    const actual = FROM_RIGHT.test(text) ? { actual: text } : {};
    this.#mark(style.role ?? 'P', () => this.draw(text, xMm, yMm, style), actual);
  }

  /** As {@link text}, within a picture or an artifact. */
  draw(text: string, xMm: number, yMm: number, style: TextStyle): void {
    const { colour = COLOURS.ink, align = 'left', widthMm } = style;
    let shown = this.printable(text.slice(0, MAX_LINE_CHARACTERS));
    if (widthMm !== undefined && this.#widthOf(shown, style) > widthMm + 0.01) {
      const letters = lettersOf(shown);
      do letters.pop();
      while (letters.length > 0 && this.#widthOf(`${letters.join('')}…`, style) > widthMm + 0.01);
      shown = `${letters.join('')}…`;
    }
    const runs = this.#runs(shown);
    const spare = align === 'left' || widthMm === undefined ? 0 : widthMm - this.#widthOf(shown, style);
    let x = this.x(xMm + (align === 'centre' ? spare / 2 : spare));
    for (const run of runs) {
      const lowerPt = this.#runStyle(run, style);
      this.pdf.fillColor(colour);
      this.pdf.text(run.text, x, this.y(yMm) + lowerPt, { lineBreak: false, features: FEATURES });
      if (runs.length > 1) x += this.pdf.widthOfString(run.text, { features: FEATURES });
    }
  }

  /** The words of a text on as many lines as they need. */
  lines(text: string, style: TextStyle, widthMm: number): string[] {
    const lines: string[] = [];
    const fits = (part: string): boolean => this.widthMm(part, style) <= widthMm;
    for (const word of text.split(' ').flatMap((each) => pieces(each, fits))) {
      const last = lines.at(-1);
      if (last !== undefined && this.widthMm(`${last} ${word}`, style) <= widthMm)
        lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(word);
    }
    return lines;
  }

  line(
    from: readonly [number, number],
    to: readonly [number, number],
    widthMm: number,
    colour: string = COLOURS.ink,
  ): void {
    this.pdf
      .moveTo(this.x(from[0]), this.y(from[1]))
      .lineTo(this.x(to[0]), this.y(to[1]))
      .lineWidth(pt(widthMm))
      .lineCap('butt')
      .strokeColor(colour)
      .stroke();
  }

  /** PDF/A-3 asks for the kind, the time and the relation of each file. */
  attach({ name, type, relation, bytes }: ReportFile, createdMs: number): void {
    const made = new Date(createdMs);
    const options = { name, type, relationship: relation, creationDate: made, modifiedDate: made };
    this.pdf.file(Buffer.from(bytes), options as PDFKit.Mixins.PDFAttachmentOptions);
  }

  end(): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const parts: Buffer[] = [];
    this.pdf.on('data', (part: Buffer) => parts.push(part));
    this.pdf.on('end', () => resolve(Buffer.concat(parts)));
    this.pdf.on('error', reject);
    this.pdf.end();
    return promise;
  }
}
