// One-line faults that can be planted in a source: a comparison that is off by one, a condition turned round, a
// sum that subtracts, a constant that is a tenth too large.

import { parseSync, Visitor } from 'vite';

export interface Fault {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** What stands there in place of what stood there. */
  readonly before: string;
  readonly after: string;
}

const OTHERS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

interface Sides {
  readonly left: { readonly end: number };
  readonly right: { readonly start: number };
  readonly operator: string;
}

/** Every fault that could be planted, from the first line to the last. */
export function faultsOf(path: string, text: string): Fault[] {
  const faults: Fault[] = [];
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  const add = (start: number, end: number, after: string): void => {
    faults.push({ line: lineOf(start), start, end, before: text.slice(start, end), after });
  };
  const turn = ({ left, right, operator }: Sides): void => {
    const other = OTHERS[operator];
    const at = text.indexOf(operator, left.end);
    if (other !== undefined && at >= 0 && at < right.start) add(at, at + operator.length, other);
  };
  new Visitor({
    BinaryExpression: turn,
    LogicalExpression: turn,
    UnaryExpression: ({ operator, start, argument }) => {
      if (operator === '!') add(start, argument.start, '');
    },
    Literal: ({ value, start, end }) => {
      if (typeof value === 'number' && Math.abs(value) > 1)
        add(start, end, Number.isInteger(value) && value < 10 ? String(value + 1) : String(1.1 * value));
    },
  }).visit(parseSync(path, text).program);
  return faults.sort((a, b) => a.start - b.start);
}

export const withFault = (text: string, { start, end, after }: Fault): string =>
  text.slice(0, start) + after + text.slice(end);
