/** What the head of an HL7 message says: by what an answer names it, and whom the answer is for. */
export interface Hl7HeadFacts {
  readonly controlId: string;
  readonly application: string;
  readonly facility: string;
  readonly version: string;
  /** `P`, `T` or `D`. */
  readonly processing: string;
  readonly event: string;
}
