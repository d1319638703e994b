// The compiled convolution (convolution.wat), with a memory of its own.

import { CONVOLUTION_WASM } from './convolution-wasm.ts';

const PAGE_BYTES = 65_536;

/** As convolution.wat describes it; addresses count bytes. */
export type Convolve = (
  input: number,
  inputChannels: number,
  taps: number,
  weights: number,
  offsets: number,
  output: number,
  groups: number,
  rows: number,
  floor: number,
) => void;

/** What is used here of an interface that the language's own library does not declare. */
interface Assembly {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
      readonly convolve: Convolve;
    };
  };
}

declare const WebAssembly: Assembly;

/** @param bytes how much memory is needed at least */
export function openConvolution(bytes: number): {
  readonly convolve: Convolve;
  readonly floats: Float32Array<ArrayBuffer>;
} {
  const { memory, convolve } = new WebAssembly.Instance(new WebAssembly.Module(CONVOLUTION_WASM)).exports;
  memory.grow(Math.ceil(bytes / PAGE_BYTES));
  return { convolve, floats: new Float32Array(memory.buffer) };
}
