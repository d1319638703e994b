// The ports at which others connect to the workstation.

export const DOOR_NAMES = ['service', 'seats', 'page', 'hl7', 'dicom'] as const;
export type DoorName = (typeof DOOR_NAMES)[number];
