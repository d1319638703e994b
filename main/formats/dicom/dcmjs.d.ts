// The part of dcmjs that is used here; the package brings no types.

declare module 'dcmjs' {
  interface TagDataset {
    readonly [tag: string]: unknown;
  }
  export const data: {
    readonly DicomMetaDictionary: {
      denaturalizeDataset(dataset: { readonly [keyword: string]: unknown }): TagDataset;
    };
    readonly DicomDict: new (meta: TagDataset) => { dict: TagDataset; write(): ArrayBuffer };
  };
}
