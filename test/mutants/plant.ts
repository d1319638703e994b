// One-line faults that can be planted in a source, by kind: a comparison that is off by one, a condition turned round, a sum that
// subtracts, a constant that is a tenth too large, a unit that is wrong by its factor, a promise that nobody waits for, two steps in
// the wrong order, a check that is gone.

import { parseSync, Visitor } from 'vite';

export const FAULT_KINDS = [
  'comparison',
  'constant',
  'condition',
  'sign',
  'await',
  'order',
  'unit',
  'check',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** What stands there in place of what stood there. */
  readonly before: string;
  readonly after: string;
}

const OTHERS: Readonly<Record<string, readonly [other: string, kind: FaultKind]>> = {
  '<': ['<=', 'comparison'],
  '<=': ['<', 'comparison'],
  '>': ['>=', 'comparison'],
  '>=': ['>', 'comparison'],
  '===': ['!==', 'comparison'],
  '!==': ['===', 'comparison'],
  '+': ['-', 'sign'],
  '-': ['+', 'sign'],
  '*': ['/', 'sign'],
  '/': ['*', 'sign'],
  '&&': ['||', 'condition'],
  '||': ['&&', 'condition'],
};

/** What turns seconds into milliseconds, millivolts into microvolts, minutes into seconds. */
const FACTORS: Readonly<Record<number, number>> = { 1000: 1, 60: 1, 60000: 1000, 3600000: 60_000 };

interface Span {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Sides {
  readonly left: { readonly end: number };
  readonly right: { readonly start: number };
  readonly operator: string;
}

const EXITS: readonly string[] = ['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'];

/** The only statement of a block, or the statement itself. */
function soleStatement(statement: Span & { readonly body?: unknown }): Span | undefined {
  if (statement.type !== 'BlockStatement') return statement;
  const body = statement.body as readonly Span[];
  return body.length === 1 ? body[0] : undefined;
}

/** Every fault that could be planted, from the first line to the last. */
export function faultsOf(path: string, text: string): Fault[] {
  const faults: Fault[] = [];
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  const add = (kind: FaultKind, start: number, end: number, after: string): void => {
    faults.push({ kind, line: lineOf(start), start, end, before: text.slice(start, end), after });
  };
  const turn = ({ left, right, operator }: Sides): void => {
    const other = OTHERS[operator];
    const at = text.indexOf(operator, left.end);
    if (other !== undefined && at >= 0 && at < right.start) add(other[1], at, at + operator.length, other[0]);
  };
  /** Two calls of a line each, the second before the first. */
  const exchange = (body: readonly Span[]): void => {
    for (const [i, first] of body.entries()) {
      const second = body[i + 1];
      if (first.type !== 'ExpressionStatement' || second?.type !== 'ExpressionStatement') continue;
      const [one, between, two] = [
        text.slice(first.start, first.end),
        text.slice(first.end, second.start),
        text.slice(second.start, second.end),
      ];
      if (!/\n/.test(one + two)) add('order', first.start, second.end, two + between + one);
    }
  };
  new Visitor({
    BinaryExpression: turn,
    LogicalExpression: turn,
    UnaryExpression: ({ operator, start, argument }) => {
      if (operator === '!') add('condition', start, argument.start, '');
    },
    AwaitExpression: ({ start, argument }) => add('await', start, argument.start, ''),
    BlockStatement: ({ body }) => exchange(body),
    IfStatement: ({ start, end, consequent, alternate }) => {
      const sole = soleStatement(consequent);
      if (alternate === null && sole !== undefined && EXITS.includes(sole.type)) add('check', start, end, '');
    },
    Literal: ({ value, start, end }) => {
      if (typeof value !== 'number' || Math.abs(value) <= 1) return;
      const factor = FACTORS[value];
      if (factor !== undefined) add('unit', start, end, String(factor));
      else
        add(
          'constant',
          start,
          end,
          Number.isInteger(value) && value < 10 ? String(value + 1) : String(1.1 * value),
        );
    },
  }).visit(parseSync(path, text).program);
  return faults.sort((a, b) => a.start - b.start);
}

export const withFault = (text: string, { start, end, after }: Fault): string =>
  text.slice(0, start) + after + text.slice(end);
