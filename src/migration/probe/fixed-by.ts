// Which of the advised settings a behaviour takes: one after the other is left as it is in force, and what
// breaks then takes it. All of it is local, over what is known.

import type { Advice } from './advice.ts'
import type { Behaviour } from './behaviour.ts'
import { differenceOf, type Finding } from './finding.ts'

interface Fixing {
  readonly behaviours: readonly Behaviour[]
  readonly old: readonly (Finding | null)[]
  readonly set: readonly (Finding | null)[]
  readonly advised: readonly (Finding | null)[]
  /** Those of the advised settings that the gateway as it is set has otherwise. */
  readonly changed: Advice
  /** What a gateway does that has these of the settings, and the others as they are in force. */
  readonly observe: (advice: Advice, behaviours: readonly Behaviour[]) => Promise<readonly (Finding | null)[]>
}

/**
 * @returns the settings by the name of the behaviour; only for those that differ as set and agree as advised
 */
export async function findFixes(fixing: Fixing): Promise<ReadonlyMap<string, readonly string[]>> {
  const { behaviours, old, set, advised, changed, observe } = fixing
  const oldBy = new Map(behaviours.map((one, at) => [one, old[at] ?? null]))
  const fixed = behaviours.filter((one, at) => {
    const was = old[at] ?? null
    return !agree(one, was, set[at] ?? null) && agree(one, was, advised[at] ?? null)
  })
  const fixes = new Map<string, string[]>(fixed.map(({ name }) => [name, []]))
  if (fixed.length === 0) return fixes
  const agreeing = async (advice: Advice) => {
    const findings = await observe(advice, fixed)
    return new Set(fixed.filter((one, at) => agree(one, oldBy.get(one) ?? null, findings[at] ?? null)))
  }
  // How the old service is called as a store has no part in it.
  const names = Object.keys(changed).filter((name) => !name.startsWith('DATABASE_'))
  for (const name of names) {
    const without = await agreeing(settingsOf(changed, (other) => other !== name))
    for (const one of fixed) if (!without.has(one)) fixes.get(one.name)?.push(name)
  }
  // Where either of two would do, none is missed when it is left out.
  const open = fixed.filter((one) => fixes.get(one.name)?.length === 0)
  for (const name of open.length === 0 ? [] : names) {
    const alone = await agreeing(settingsOf(changed, (other) => other === name))
    for (const one of open) {
      const found = fixes.get(one.name)
      if (alone.has(one) && found?.length === 0) found.push(name)
    }
  }
  return new Map(fixed.map(({ name }) => [name, fixes.get(name)?.length ? (fixes.get(name) ?? []) : names]))
}

function agree({ judge }: Behaviour, old: Finding | null, gateway: Finding | null): boolean {
  return old !== null && gateway !== null && differenceOf(old, gateway, judge) === null
}

function settingsOf(advice: Advice, wanted: (name: string) => boolean): Advice {
  return Object.fromEntries(Object.entries(advice).filter(([name]) => wanted(name)))
}
