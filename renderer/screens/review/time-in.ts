// Times within a recording.

const two = (value: number): string => String(value).padStart(2, '0');

/** `03:20`, from an hour on `1:03:20`. */
export function timeIn(sample: number, sampleRateHz: number): string {
  const seconds = Math.floor(sample / sampleRateHz);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const clock = `${two(minutes)}:${two(seconds % 60)}`;
  return hours === 0 ? clock : `${hours}:${clock}`;
}
