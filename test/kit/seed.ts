/** A seed for generated tests: new on every run, or that of `SEED` to repeat one. It is printed. */
export function chooseSeed(test: string): number {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
  process.stderr.write(`${test}: SEED=${seed}\n`)
  return seed
}
