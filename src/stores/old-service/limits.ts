// How much one query of the store may cost the old service.
//
// A query of c clients that starts with p calls makes at most
//
//     p calls with all values,
//   + p calls with the spellings of usernames that these leave unclear,
//   + 2 (c + p) calls to separate the values of the clients,
//   + 64 calls to separate the values of single clients (MAX_SPLIT_CALLS · PARTS; 256 after timeouts),
//   + 256 calls to find the unknown values of single clients, where a service refuses lists with one
//     (MAX_SPLIT_REFUSALS · PARTS),
//   + 1 call to see whether the service is well. If it is not, p + 1 calls are all.
//
// Chat identifiers of a service that names entries in its own way take a call each: p is their number.
//
// To find one value that always fails among n takes about 4 · log₄ n calls: 14 for 100 values.

/** How long a call of the first round waits for a connection. */
export const PATIENCE_MS = 200

/** The time for repeated calls, beside the time that one call may take. */
export const REPEAT_TIME_MS = 5_000

/** How many failed calls with values of one client a query splits. The values that are left fail. */
export const MAX_SPLIT_CALLS = 16

/**
 * The same for lists that a service refuses since it has not all of the values: the service is well, and says
 * so as often as its clients ask. They are found in u · log₄ n such lists, where u of n values are unknown.
 */
export const MAX_SPLIT_REFUSALS = 64

/** How many parts a failed call is split into. Four take as many calls as two, in half as many steps. */
export const PARTS = 4

/** The same for a call that timed out: each step may take as long as a call may. */
export const PARTS_AFTER_TIMEOUT = 16

/** How many of the connections one query may use, and all repeated calls together. */
export function halfOf(connections: number): number {
  return Math.max(1, connections >> 1)
}
