// A line of which each column of the picture is known from its least to its greatest value; interrupted where nothing is known.

export interface ColumnsPlace {
  readonly leftPx: number;
  readonly widthPx: number;
  yOf(mv: number): number;
}

/** @param columns least and greatest millivolts of each, in turn; NaN where nothing is known */
export function traceColumns(
  context: CanvasRenderingContext2D,
  columns: Float32Array,
  { leftPx, widthPx, yOf }: ColumnsPlace,
): void {
  const count = columns.length / 2;
  context.beginPath();
  let isDown = false;
  for (let column = 0; column < count; column++) {
    const [low, high] = [columns[2 * column] as number, columns[2 * column + 1] as number];
    if (Number.isNaN(low)) {
      isDown = false;
      continue;
    }
    const x = leftPx + ((column + 0.5) * widthPx) / count;
    if (isDown) context.lineTo(x, yOf(high));
    else context.moveTo(x, yOf(high));
    if (low < high) context.lineTo(x, yOf(low));
    isDown = true;
  }
  context.lineJoin = 'round';
  context.stroke();
}
