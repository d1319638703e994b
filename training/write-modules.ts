// Writes the modules that hold the compiled convolution and the trained weights:
//
//   node training/write-modules.ts [WEIGHTS]

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

const FOLDER = new URL('../main/analysis/waves/', import.meta.url);
const LINE = 1000;

/** A module that exports these bytes. */
export function moduleOf(head: string, name: string, bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('base64');
  const lines = text.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return [
    `// ${head}`,
    `// SHA-256 ${createHash('sha256').update(bytes).digest('hex')}. Made by training/write-modules.ts.`,
    '',
    "import { bytesOf } from './base64.ts';",
    '',
    `export const ${name}: Uint8Array<ArrayBuffer> = bytesOf(\``,
    ...lines,
    '`);',
    '',
  ].join('\n');
}

export async function compiledConvolution(): Promise<Uint8Array> {
  const { parseWat } = await wabt();
  const source = readFileSync(new URL('convolution.wat', FOLDER), 'utf8');
  const module = parseWat('convolution.wat', source, { simd: true });
  module.validate();
  return module.toBinary({}).buffer;
}

export const convolutionModule = async (): Promise<string> =>
  moduleOf('convolution.wat, compiled.', 'CONVOLUTION_WASM', await compiledConvolution());

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('convolution-wasm.ts', FOLDER), await convolutionModule());
  const [weights] = process.argv.slice(2);
  if (weights !== undefined)
    writeFileSync(
      new URL('wave-weights.ts', FOLDER),
      moduleOf(
        'The weights of the wave network (training/README.md).',
        'WAVE_WEIGHTS',
        readFileSync(weights),
      ),
    );
}
