// What the detector takes for a beat, before anything proves it to be one.

export interface DetectedBeat {
  readonly sample: number;
  /** Height of the fused envelope: 1 for a typical beat of this recording, whatever the gain. */
  readonly height: number;
}
