/** For each factor the index of one of its values. */
export type Combination = readonly number[]

/**
 * Combinations that have each pair of values of any two factors: far fewer than there are pairs.
 * Each combination starts with a pair that is still missing, and takes values that add most others.
 * @param sizes the number of values of each factor
 */
export function coverPairs(sizes: readonly number[], seed: number): readonly Combination[] {
  // Lehmer's generator.
  let state = seed
  const random = () => {
    state = (state * 48_271) % 0x7fff_ffff
    return state / 0x7fff_ffff
  }
  const keyOf = (one: number, a: number, other: number, b: number) =>
    one < other ? `${one} ${a} ${other} ${b}` : `${other} ${b} ${one} ${a}`
  const missing = new Map<string, readonly (readonly [factor: number, value: number])[]>()
  for (const [one, size] of sizes.entries())
    for (let other = one + 1; other < sizes.length; other++)
      for (let a = 0; a < size; a++)
        for (let b = 0; b < (sizes[other] ?? 0); b++)
          missing.set(keyOf(one, a, other, b), [
            [one, a],
            [other, b],
          ])

  const combinations: Combination[] = []
  for (const pair of missing.values()) {
    const chosen = new Map(pair)
    const others = [...sizes.keys()].filter((factor) => !chosen.has(factor))
    const order = new Map(others.map((factor) => [factor, random()]))
    for (const factor of others.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))) {
      const gains = Array.from({ length: sizes[factor] ?? 0 }, (_, value) => {
        const added = [...chosen].filter(([done, at]) => missing.has(keyOf(factor, value, done, at)))
        return added.length + random()
      })
      chosen.set(factor, gains.indexOf(Math.max(...gains)))
    }
    for (const [one, a] of chosen)
      for (const [other, b] of chosen) if (one !== other) missing.delete(keyOf(one, a, other, b))
    combinations.push(sizes.map((_, factor) => chosen.get(factor) ?? 0))
  }
  return combinations
}
