import { beforeAll, test } from 'vitest'

/** Tests that mostly wait: all begin at once, so that they take as long as the longest of them. */
export function testTogether(scenarios: Readonly<Record<string, () => Promise<void>>>): void {
  const running = new Map<string, Promise<void>>()
  beforeAll(() => {
    for (const [name, run] of Object.entries(scenarios)) {
      const outcome = run()
      // The test that waits for it hears of its failure.
      outcome.catch(() => {})
      running.set(name, outcome)
    }
  })
  test.each(Object.keys(scenarios))('%s', (name) => running.get(name))
}
