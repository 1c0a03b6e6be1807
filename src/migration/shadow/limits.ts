/**
 * What each process sends to the old service at most, to compare answers: calls a second, and at a time; milliseconds for each,
 * and bytes and chunks of its answer.
 */
export const shadowLimits = {
  rate: 20,
  connections: 2,
  timeout: 5_000,
  most: 256 * 1024,
  mostChunks: 4_096,
} as const
