// Node's own HTTP, without an import statement: one reads every export of the module, and one of these loads a
// WebSocket client that nobody uses, 35 ms of each start.

export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
