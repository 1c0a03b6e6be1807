// How much generated tests generate: a little from a fixed seed in `npm test`, all of it from a new seed at
// night.

const isNightly = process.env.NIGHTLY !== undefined

/** The seed of a generated test; at night a new one, or that of `SEED` to repeat a failure. It is printed. */
export function seedOf(test: string): number {
  if (!isNightly) return 20_261_126
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
  process.stderr.write(`${test}: SEED=${seed}\n`)
  return seed
}

/** How many cases a generated test makes. */
export const runs = (daily: number, nightly: number): number => (isNightly ? nightly : daily)
