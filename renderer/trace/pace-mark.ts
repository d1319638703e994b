// The spike of a pacemaker, below the line: live and recorded alike.

const PACE_MM = { top: 2, height: 5, width: 0.5 } as const;

export function drawPace(
  surface: { fillStyle: unknown; fillRect(x: number, y: number, width: number, height: number): void },
  { x, baselineY }: { readonly x: number; readonly baselineY: number },
  pxPerMm: number,
  colour: string,
): void {
  const { top, height, width } = PACE_MM;
  surface.fillStyle = colour;
  surface.fillRect(x, baselineY + top * pxPerMm, Math.max(1, width * pxPerMm), height * pxPerMm);
}
