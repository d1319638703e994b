// Whose work is in the program: every package that is packed or bundled, with its licence, as the lock file and the installed
// packages tell it.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOMS } from '../house/rooms.ts';

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface ShippedPart {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Under node_modules. */
  readonly path: string;
}

/** Bundled without being imported by a room, and what is shipped around everything. */
const BESIDES = ['@fontsource-variable/inter', 'electron'];
/** Its file says MIT, its manifest nothing. */
const KNOWN_LICENCES: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

interface LockFile {
  readonly packages: Readonly<Record<string, Locked>>;
}

/** As Node finds a package: beside the one that asks, or further up. */
function find(lock: LockFile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

/** Sorted by name. What is not installed on this system is not in its program. */
export function shippedParts(root: string): readonly ShippedPart[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  const manifest = lock.packages[''];
  const found = new Map<string, ShippedPart>();
  const add = (from: string, names: Iterable<string>): void => {
    for (const name of names) {
      const path = find(lock, from, name);
      const locked = path === undefined ? undefined : lock.packages[path];
      if (path === undefined || locked === undefined || found.has(path) || !existsSync(join(root, path)))
        continue;
      const licence = locked.license ?? KNOWN_LICENCES[name] ?? '';
      found.set(path, { name, version: locked.version, licence, path });
      // Electron brings its own program, not the packages that fetch it.
      if (name === 'electron') continue;
      // What a part asks its users for is named by the rooms that use it.
      add(path, Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }));
    }
  };
  add('', Object.keys(manifest?.dependencies ?? {}));
  add(
    '',
    Object.values(ROOMS).flatMap(({ packages }) => [...packages]),
  );
  add('', BESIDES);
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Beside a package, by whatever name. */
function licenceText(root: string, { path }: ShippedPart): string {
  const folder = join(root, path);
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  return names
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n');
}

/** For those who use the program: whose work is in it, and on which terms. */
export function thirdPartyNotices(root: string): string {
  const fonts = readFileSync(join(root, 'main', 'report', 'fonts', 'LICENSE'), 'utf8').trim();
  const parts = shippedParts(root).map((part) =>
    `${part.name} ${part.version} · ${part.licence}\n\n${licenceText(root, part)}`.trim(),
  );
  const chapters = [`Inter (fonts of the reports)\n\n${fonts}`, ...parts];
  return `${chapters.join(`\n\n${'─'.repeat(40)}\n\n`)}\n`;
}

interface Bom {
  components: readonly { readonly name: string; readonly version: string; readonly 'bom-ref': string }[];
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** CycloneDX, as npm writes it, of what is shipped alone (SEC86). */
export function billOfMaterials(root: string): string {
  const npm = process.env.npm_execpath;
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' } as const;
  const bom = JSON.parse(
    npm === undefined
      ? execFileSync('npm', args, options)
      : execFileSync(process.execPath, [npm, ...args], options),
  ) as Bom;
  const shipped = new Set(shippedParts(root).map(({ name, version }) => `${name}@${version}`));
  const isShipped = (component: Bom['components'][number]): boolean =>
    shipped.has(`${component.name}@${component.version}`);
  const components = bom.components.filter(isShipped);
  const refs = new Set(components.map((component) => component['bom-ref']));
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((entry) => ({ ...entry, dependsOn: entry.dependsOn.filter((ref) => refs.has(ref)) }));
  return `${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`;
}
