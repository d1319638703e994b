#!/usr/bin/env node
// Entry of the command line `isoline`.

import { keepCompiled } from '../compile-cache.ts';

keepCompiled();
await import('./run-command.ts');
