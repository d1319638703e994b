// Other computers and tablets of the clinic at which people work.

export interface Seat {
  readonly id: number;
  /** As people call it. */
  readonly name: string;
  readonly madeMs: number;
  readonly seenMs: number | undefined;
  readonly removedMs: number | undefined;
}
