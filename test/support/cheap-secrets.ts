// Tests sign in often: hashing at full cost would be a large part of their time.

import type { SecretCost } from '../../main/clinic/people/secrets.ts';

export const CHEAP_SECRETS: SecretCost = { n: 1024, r: 8, p: 1 };
