// Hands bytes to the person as a file.

export const saveFile = (name: string, bytes: Uint8Array<ArrayBuffer>, type: string): void =>
  saveBlob(name, new Blob([bytes], { type }));

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
