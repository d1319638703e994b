// The public keys of those who may publish releases: the one in use and the next (docs/releasing.md). A build without
// any looks for no new versions, and says so.

/** Ed25519, 32 bytes in base64. */
export const RELEASE_KEYS: readonly string[] = [];
