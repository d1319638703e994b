// To the next screen once the workstation has answered.

/** @param from where it was asked: whoever has gone elsewhere meanwhile stays there */
export function goOn(from: string, to: string): void {
  if (location.hash === from) location.hash = to;
}
