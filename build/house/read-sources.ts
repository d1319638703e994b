// The sources of the house as they are: what each file imports, how long it is, and its longest function.

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { parseSync, Visitor } from 'vite';

export interface LongFunction {
  readonly name: string;
  readonly lines: number;
}

export interface Source {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly lines: number;
  /**
   * Files of the repository by path, modules of Node as `node:fs`, packages by name; types that are imported
   * among them.
   */
  readonly imports: readonly string[];
  readonly longest: LongFunction | undefined;
  /** While it is loaded: `await` outside of a function. */
  readonly isWaiting: boolean;
}

const IS_SOURCE = /(?<!\.d)\.tsx?$/;

/** `@scope/name/part` is of the package `@scope/name`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('.'))
    return posix.normalize(posix.join(posix.dirname(path), specifier.replace(/\?.*$/, '')));
  return specifier.startsWith('node:') ? specifier : packageOf(specifier);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** @param path from the root, with slashes @throws Error where it is no TypeScript */
export function readSource(path: string, text: string): Source {
  const { module, program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const specifiers = new Set<string>();
  const add = (value: unknown): void => void (typeof value === 'string' && specifiers.add(value));
  for (const { moduleRequest } of module.staticImports) add(moduleRequest.value);
  for (const { entries } of module.staticExports)
    for (const { moduleRequest } of entries) add(moduleRequest?.value);
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  let longest: LongFunction | undefined;
  const measure = (node: Span, name: string | undefined): void => {
    const lines = lineOf(node.end) - lineOf(node.start) + 1;
    if (lines > (longest?.lines ?? 0)) longest = { name: name ?? 'a function', lines };
  };
  let depth = 0;
  let isWaiting = false;
  const enter = (node: Span, name: string | undefined): void => {
    depth++;
    measure(node, name);
  };
  const leave = (): void => void depth--;
  const wait = (): void => {
    isWaiting ||= depth === 0;
  };
  new Visitor({
    AwaitExpression: wait,
    ForOfStatement: (node) => node.await && wait(),
    VariableDeclaration: ({ kind }) => kind === 'await using' && wait(),
    ImportExpression: ({ source }) => add(source.type === 'Literal' ? source.value : undefined),
    TSImportType: ({ source }) => add(source.value),
    CallExpression: ({ callee, arguments: [first] }) => {
      const isBuiltin =
        callee.type === 'MemberExpression' &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'getBuiltinModule';
      if (isBuiltin && first?.type === 'Literal') add(first.value);
    },
    FunctionDeclaration: (node) => enter(node, node.id?.name),
    'FunctionDeclaration:exit': leave,
    FunctionExpression: (node) => enter(node, node.id?.name),
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: (node) => enter(node, undefined),
    'ArrowFunctionExpression:exit': leave,
    MethodDefinition: (node) => measure(node, node.key.type === 'Identifier' ? node.key.name : undefined),
    VariableDeclarator: ({ id, init }) => {
      if (init?.type === 'ArrowFunctionExpression' && id.type === 'Identifier') measure(init, id.name);
    },
  }).visit(program);
  return {
    path,
    lines: text.split('\n').length - 1,
    imports: [...specifiers].map((specifier) => targetOf(path, specifier)),
    longest,
    isWaiting,
  };
}

export interface SourceText {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** @param root of the repository @param folders in it */
export function sourceTexts(root: string, folders: readonly string[]): SourceText[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && IS_SOURCE.test(entry.name))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return { path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') };
      })
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
}

/** @param root of the repository @param folders in it */
export const readSources = (root: string, folders: readonly string[]): Source[] =>
  sourceTexts(root, folders).map(({ path, text }) => readSource(path, text));
