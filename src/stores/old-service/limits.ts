// How much one query of the store may cost the old service.
//
// A query of c clients that starts with p calls makes at most
//
//     p calls with all values,
//   + p calls with the spellings of usernames that these leave unclear,
//   + 2 (c + p) calls to separate the values of the clients,
//   + 64 calls to separate the values of single clients (MAX_SPLIT_CALLS · PARTS; 256 after timeouts),
//   + 1 call to see whether the service is well. If it is not, p + 1 calls are all.
//
// To find one value that always fails among n takes about 4 · log₄ n calls: 14 for 100 values.

/** How long a call of the first round waits for a connection. */
export const PATIENCE_MS = 200

/** The time for repeated calls, beside the time that one call may take. */
export const REPEAT_TIME_MS = 5_000

/** How many failed calls with values of one client a query splits. The values that are left fail. */
export const MAX_SPLIT_CALLS = 16

/** How many parts a failed call is split into. Four take as many calls as two, in half as many steps. */
export const PARTS = 4

/** The same for a call that timed out: each step may take as long as a call may. */
export const PARTS_AFTER_TIMEOUT = 16

/** How many of the connections one query may use, and all repeated calls together. */
export function halfOf(connections: number): number {
  return Math.max(1, connections >> 1)
}
