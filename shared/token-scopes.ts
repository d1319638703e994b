// What a token may do, and for which organization.

/** Scopes of a token (D31). */
export const SCOPES = [
  'tasks:create',
  'tasks:read',
  'reports:read',
  'streams:read',
  'streams:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Organization paths: D33. */
export const ORGANIZATION_PATH = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
