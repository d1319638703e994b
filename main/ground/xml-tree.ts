// An XML document as a tree of elements, names without their prefixes. A document type that declares anything itself is
// refused: entities that expand into each other have no place in a recording. The name of a document type does no harm.

import { SaxesParser } from 'saxes';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface OpenElement {
  name: string;
  attributes: Record<string, string>;
  children: OpenElement[];
  text: string;
}

const MAX_DEPTH = 200;
const MAX_ELEMENTS = 1_000_000;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

class Unacceptable extends Error {}

/** @returns the root, or a sentence why there is none. */
export function parseXml(text: string): XmlElement | string {
  const root: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open: OpenElement[] = [root];
  let count = 0;
  const parser = new SaxesParser();
  parser.on('doctype', (declared) => {
    if (declared.includes('[')) throw new Unacceptable('It declares a document type, which is not accepted.');
  });
  parser.on('error', (error) => {
    throw new Unacceptable(`It is no well-formed XML (line ${/^(\d+):/.exec(error.message)?.[1] ?? '?'}).`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++count > MAX_ELEMENTS) throw new Unacceptable('It has more elements than any recording.');
    if (open.length > MAX_DEPTH) throw new Unacceptable('Its elements are nested too deeply.');
    const element: OpenElement = { name: localName(name), attributes: {}, children: [], text: '' };
    for (const [key, value] of Object.entries(attributes)) element.attributes[localName(key)] = value;
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const addText = (piece: string): void => {
    (open.at(-1) as OpenElement).text += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof Unacceptable) return error.message;
    throw error;
  }
  return root.children[0] ?? 'It holds no element.';
}

/** Elements that a path of names leads to. */
export function findAll(element: XmlElement, ...path: string[]): XmlElement[] {
  return path.reduce(
    (found: readonly XmlElement[], name) =>
      found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  ) as XmlElement[];
}

export const find = (element: XmlElement, ...path: string[]): XmlElement | undefined =>
  findAll(element, ...path)[0];

/** The first element of a name anywhere below. */
export function findBelow(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) {
    const found = child.name === name ? child : findBelow(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
