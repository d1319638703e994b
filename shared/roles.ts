// What people may do, by role (screens, 1.8). No right of one role is meant by another.

export const ROLES = ['technician', 'reviewer', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

export const RIGHTS = [
  'record',
  'import',
  'editPatient',
  'retry',
  'print',
  'review',
  'approve',
  'mergePatients',
  'settings',
  'tokens',
  'users',
  'sync',
  'delete',
  'audit',
] as const;
export type Right = (typeof RIGHTS)[number];

const TECHNICIAN: readonly Right[] = ['record', 'import', 'editPatient', 'retry', 'print'];

const RIGHTS_OF: { readonly [R in Role]: readonly Right[] } = {
  technician: TECHNICIAN,
  reviewer: [...TECHNICIAN, 'review', 'approve', 'mergePatients', 'sync'],
  administrator: [...TECHNICIAN, 'mergePatients', 'settings', 'tokens', 'users', 'sync', 'delete', 'audit'],
};

export const mayDo = (role: Role, right: Right): boolean => RIGHTS_OF[role].includes(right);
