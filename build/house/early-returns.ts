// Promises that are handed on before they have ended although something waits for their end: what `using` holds is
// closed, and `catch` and `finally` of the same function are passed, while the work still goes on.

import { parseSync, Visitor } from 'vite';
import { assert } from '../../main/ground/assert.ts';
import type { SourceText } from './read-sources.ts';

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;

const FUNCTIONS: readonly string[] = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'StaticBlock',
];

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

const nameOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined;
  const { name, property } = node;
  if (typeof name === 'string') return name;
  return node.type === 'MemberExpression' ? nameOf(property) : undefined;
};

/** A type annotation that is a promise, or a function that gives one. */
function isPromiseType(annotation: unknown): boolean {
  if (!isNode(annotation)) return false;
  if (annotation.type === 'TSTypeAnnotation') return isPromiseType(annotation.typeAnnotation);
  if (annotation.type === 'TSFunctionType') return isPromiseType(annotation.returnType);
  return annotation.type === 'TSTypeReference' && nameOf(annotation.typeName) === 'Promise';
}

const isAsync = (node: Node): boolean => node.async === true || isPromiseType(node.returnType);

/** A function by any of the ways in which one gets its name; undefined for what is none. */
function functionIn({ type, value, init, ...node }: Node): Node | undefined {
  const own = { type, ...node } as Node;
  if (FUNCTIONS.includes(type) || type === 'TSMethodSignature') return own;
  const held = [value, init].find((each) => isNode(each) && FUNCTIONS.includes(each.type));
  return held as Node | undefined;
}

/**
 * Names of functions, methods and signatures that give a promise wherever the sources declare one of that name: types
 * are not looked at.
 */
function promising(sources: readonly SourceText[]): ReadonlySet<string> {
  const names = new Set<string>();
  const others = new Set<string>();
  const look = (found: unknown): void => {
    const node = found as Node;
    const name = nameOf(node.key) ?? nameOf(node.id);
    if (name === undefined) return;
    const made = functionIn(node);
    if (isPromiseType(node.typeAnnotation) || (made !== undefined && isAsync(made))) names.add(name);
    else if (made !== undefined) others.add(name);
  };
  for (const { path, text } of sources)
    new Visitor({
      FunctionDeclaration: look,
      MethodDefinition: look,
      Property: look,
      VariableDeclarator: look,
      TSMethodSignature: look,
      TSPropertySignature: look,
    }).visit(parseSync(path, text).program);
  return new Set([...names].filter((name) => !others.has(name)));
}

/** Names that a file takes from modules of Node that give values at once. */
function immediateIn(program: Node): ReadonlySet<string> {
  return new Set(
    childrenOf(program)
      .filter(({ type, source }) => type === 'ImportDeclaration' && isImmediate(source))
      .flatMap(({ specifiers }) => specifiers as Node[])
      .flatMap(({ local }) => nameOf(local) ?? []),
  );
}

function isImmediate(source: unknown): boolean {
  const value = isNode(source) ? source.value : undefined;
  return typeof value === 'string' && value.startsWith('node:') && !value.endsWith('/promises');
}

const isUsing = (node: Node): boolean =>
  node.type === 'VariableDeclaration' && (node.kind === 'using' || node.kind === 'await using');

/** The value of a `return`, without what only chooses between several. */
function endings(value: Node): Node[] {
  if (value.type === 'ConditionalExpression')
    return [value.consequent, value.alternate].filter(isNode).flatMap(endings);
  if (value.type === 'LogicalExpression') return [value.left, value.right].filter(isNode).flatMap(endings);
  return [value];
}

/** @returns `path:line` of each promise that is returned while its function still holds something for it */
export function earlyReturns(sources: readonly SourceText[]): string[] {
  const names = promising(sources);
  const found: string[] = [];
  for (const { path, text } of sources) {
    const { program } = parseSync(path, text);
    assert(isNode(program), 'the parser gives a tree');
    const immediate = immediateIn(program);
    const isPromise = (node: Node): boolean =>
      node.type === 'CallExpression' && isGiving(nameOf(node.callee) ?? '');
    const isGiving = (name: string): boolean => names.has(name) && !immediate.has(name);
    const note = (node: Node): void =>
      void found.push(`${path}:${text.slice(0, node.start).split('\n').length}`);
    const walk = (node: Node, isHeld: boolean): void => {
      if (FUNCTIONS.includes(node.type)) {
        for (const child of childrenOf(node)) walk(child, false);
        return;
      }
      if (node.type === 'ReturnStatement' && isHeld && isNode(node.argument))
        for (const value of endings(node.argument)) if (isPromise(value)) note(node);
      if (node.type === 'TryStatement') {
        const { block, handler, finalizer } = node;
        if (isNode(block)) walk(block, true);
        if (isNode(handler)) walk(handler, isHeld || isNode(finalizer));
        if (isNode(finalizer)) walk(finalizer, isHeld);
        return;
      }
      let isHeldFromHere = isHeld;
      for (const child of childrenOf(node)) {
        isHeldFromHere ||= isUsing(child);
        walk(child, isHeldFromHere);
      }
    };
    walk(program, false);
  }
  return found;
}
