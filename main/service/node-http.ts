// Node's own HTTP, without an import statement: that reads all that the module offers, and so loads a WebSocket client
// that nobody uses, for 35 ms of each start.

export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
