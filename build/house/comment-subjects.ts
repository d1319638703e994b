// Finds comments that begin in the middle of a sentence: "Of the file." tells a reader nothing who does not know what of the
// file is meant.

const HALF = /^\s*(?:\/\/|\/\*\*) (?:Of|Those|That of|Those that) /;
const HALF_IN_BLOCK = /^\s*\* (?:Of|Those|That of|Those that) /;

/** @returns `path:line` of each comment without a subject */
export function withoutSubject(path: string, text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const before = lines[i - 1]?.trim() ?? '';
    const isFirst = line.trim().startsWith('//') ? !before.startsWith('//') : true;
    const isHalf = isFirst && (HALF.test(line) || (before === '/**' && HALF_IN_BLOCK.test(line)));
    return isHalf ? [`${path}:${i + 1}`] : [];
  });
}
