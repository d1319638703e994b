// Finds words in the text of pages, whatever their letters' size and accents.

/** One letter for each, so that places stay. */
const folded = (text: string): string =>
  [...text.split('')].map((letter) => (letter.normalize('NFD')[0] ?? letter).toLowerCase()).join('');

interface TextPiece {
  readonly node: Text;
  /** In the text of all pieces. */
  readonly start: number;
}

function piecesOf(root: Node): { readonly pieces: readonly TextPiece[]; readonly text: string } {
  const pieces: TextPiece[] = [];
  let text = '';
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    // Words at the end of one line and the beginning of the next are two.
    if (node.nodeName === 'BR') text += ' ';
    if (!(node instanceof Text)) continue;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  return { pieces, text };
}

const pieceAt = (pieces: readonly TextPiece[], place: number): TextPiece | undefined =>
  pieces.findLast(({ start }) => start <= place);

/** In reading order. */
export function findText(root: Node, words: string): Range[] {
  const sought = folded(words.trim());
  if (sought === '') return [];
  const { pieces, text } = piecesOf(root);
  const all = folded(text);
  const found: Range[] = [];
  for (let at = all.indexOf(sought); at >= 0; at = all.indexOf(sought, at + sought.length)) {
    const [first, last] = [pieceAt(pieces, at), pieceAt(pieces, at + sought.length - 1)];
    if (first === undefined || last === undefined) continue;
    const range = document.createRange();
    range.setStart(first.node, Math.min(first.node.length, at - first.start));
    range.setEnd(last.node, Math.min(last.node.length, at + sought.length - last.start));
    found.push(range);
  }
  return found;
}
