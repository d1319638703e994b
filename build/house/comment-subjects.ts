// Finds comments that begin in the middle of a sentence: whoever reads "Of the file." has to find out first what of the file
// is meant.

const HALF = /^(\/\/|\/\*\*|\*) (?:Of|Those|That of) /;

/** @returns `path:line` of each comment without a subject */
export function withoutSubject(path: string, text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, i) => {
    const kind = HALF.exec(line)?.[1];
    const before = lines[i - 1] ?? '';
    const isFirst = kind === '//' ? !before.startsWith('//') : kind === '*' ? before === '/**' : true;
    return kind !== undefined && isFirst ? [`${path}:${i + 1}`] : [];
  });
}
