// What a PDF shows and how it is built, read back with pdf.js.

import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { StructTreeNode } from 'pdfjs-dist/types/src/display/api.js';

export interface TextBox {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

export interface ReadPage {
  readonly widthPt: number;
  readonly heightPt: number;
  /** In points from the lower left corner. */
  readonly boxes: readonly TextBox[];
  /** The texts as they follow each other. */
  readonly text: string;
  /** Vertices of all lines, in points. */
  readonly lines: readonly (readonly (readonly [x: number, y: number])[])[];
  /** Kinds of the tags on the page, and the words that stand for pictures. */
  readonly tags: ReadonlyMap<string, number>;
  readonly alts: readonly string[];
}

function countTags(node: StructTreeNode, tags: Map<string, number>, alts: string[]): void {
  tags.set(node.role, (tags.get(node.role) ?? 0) + 1);
  const { alt } = node as { alt?: string };
  if (alt !== undefined) alts.push(alt);
  for (const child of node.children) if ('role' in child) countTags(child, tags, alts);
}

/** Moves and lines of a path: pdf.js 6 hands them over as one array. */
function pathsOf(args: readonly unknown[]): (readonly [number, number])[][] {
  const paths: (readonly [number, number])[][] = [];
  const [data] = (args[1] ?? []) as (Float32Array | undefined)[];
  if (data === undefined) return paths;
  for (let i = 0; i < data.length; ) {
    const kind = data[i];
    const point = [data[i + 1] as number, data[i + 2] as number] as const;
    if (kind === 0) paths.push([point]);
    else if (kind === 1) paths.at(-1)?.push(point);
    i += kind === 0 || kind === 1 ? 3 : kind === 2 ? 7 : kind === 3 ? 5 : 1;
  }
  return paths;
}

export async function readPdf(pdf: Uint8Array): Promise<ReadPage[]> {
  const document = await getDocument({ data: Uint8Array.from(pdf), verbosity: 0 }).promise;
  const pages: ReadPage[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const boxes = items.flatMap((item): TextBox[] => {
      if (!('str' in item) || item.str.trim() === '') return [];
      const [, , , size = 0, left = 0, base = 0] = item.transform as number[];
      return [{ text: item.str, left, right: left + item.width, bottom: base, top: base + 0.7 * size }];
    });
    const { fnArray, argsArray } = await page.getOperatorList();
    const lines = fnArray.flatMap((fn, i) =>
      fn === OPS.constructPath ? pathsOf(argsArray[i] as unknown[]) : [],
    );
    const tags = new Map<string, number>();
    const alts: string[] = [];
    const tree = await page.getStructTree();
    if (tree !== null) countTags(tree, tags, alts);
    const text = boxes.map((box) => box.text).join('\n');
    pages.push({ widthPt: width, heightPt: height, boxes, text, lines, tags, alts });
  }
  await document.loadingTask.destroy();
  return pages;
}

/** Texts that lie over each other, in pairs. */
export const overlapsOf = (boxes: readonly TextBox[]): string[] =>
  boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top)
      .map((b) => `${a.text} / ${b.text}`),
  );
