/** Milliseconds that an old service, or a gateway, has for a call. */
export const CALL_TIMEOUT = 10_000
