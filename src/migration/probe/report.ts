// What a probe has shown, as data: the JSON report is this very object.

import { cut } from '../../terminal/table.ts'
import type { Advice } from './advice.ts'
import type { AsStore } from './as-store.ts'
import type { Behaviour } from './behaviour.ts'
import type { Bytes } from './bytes.ts'
import { type Difference, differenceOf, type Finding, MAX_SHORT_LENGTH } from './finding.ts'
import { isHarmless, type Judgement, type JudgementName, judgements } from './judgements.ts'
import type { Costs } from './probe.ts'

export interface ProbeReport extends Costs {
  readonly url: string
  readonly made: string
  readonly rows: readonly ReportRow[]
  readonly bytes: Bytes
  /**
   * The word that means the chat platform, the number of words tried, and whether an identifier has proven
   * it.
   */
  readonly chat: { readonly method: string | null; readonly tried: number; readonly isCertain: boolean }
  /** Why it does not work as the store, and cannot be copied; `null` where it does, and can. */
  readonly asStore: AsStore
  /** How far the settings go. */
  readonly promise: Promised
  /** The settings to be written down: all others are so by default. */
  readonly advice: Advice
  /** What the differences that are left mean to clients. */
  readonly meanings: readonly Judgement[]
}

/**
 * Where nothing differs in meaning: over data of the gateway's own, with the old service as its store, or in
 * both.
 */
export type Promised = 'alike' | 'own' | 'store' | 'closest'

export interface ReportRow {
  readonly name: string
  /** Cut so that it is seen where they begin to differ; `null` for what was not asked. */
  readonly old: string | null
  /** The same of the gateway as it is set. */
  readonly set: string | null
  readonly state: 'same' | 'differs' | 'fixed' | 'worse' | 'not asked'
  /** The settings that make it the same. */
  readonly fixedBy: readonly string[]
  /** What no setting makes the same; `null` where it is. */
  readonly left: Left | null
  /** The same for a gateway with the old service as its store. */
  readonly leftOverOld: Left | null
  readonly isAskedOverOld: boolean
}

export interface Left {
  readonly line: string
  /** What each of them does. */
  readonly old: string
  readonly gateway: string
  /** Whether some usual client notices. */
  readonly about: 'meaning' | 'form'
  readonly judgements: readonly JudgementName[]
}

type Findings = readonly (Finding | null)[]

export interface Compared {
  readonly behaviours: readonly Behaviour[]
  readonly old: Findings
  /** The gateways: as it is set, as advised, and as advised with the old service as its store. */
  readonly set: Findings
  readonly advised: Findings
  readonly overOld: Findings
  readonly fixes: ReadonlyMap<string, readonly string[]>
}

export function rowsOf({ behaviours, old, set, advised, overOld, fixes }: Compared): ReportRow[] {
  return behaviours.map((behaviour, at): ReportRow => {
    const { name } = behaviour
    const [was, asSet, asAdvised] = [old[at] ?? null, set[at] ?? null, advised[at] ?? null]
    if (was === null || asSet === null || asAdvised === null) return notAsked(name)
    const differenceTo = (gateway: Finding) => differenceOf(was, gateway, behaviour.judge)
    const before = differenceTo(asSet)
    const left = leftOf(differenceTo(asAdvised))
    const over = overOld[at] ?? null
    return {
      name,
      old: before?.old ?? cut(was.text, MAX_SHORT_LENGTH),
      set: before?.gateway ?? cut(was.text, MAX_SHORT_LENGTH),
      state: before === null ? (left === null ? 'same' : 'worse') : left === null ? 'fixed' : 'differs',
      fixedBy: fixes.get(name) ?? [],
      left,
      leftOverOld: behaviour.isOwn ? left : over === null ? null : leftOf(differenceTo(over)),
      isAskedOverOld: behaviour.isOwn || over !== null,
    }
  })
}

function notAsked(name: string): ReportRow {
  const nothing = { old: null, set: null, fixedBy: [], left: null, leftOverOld: null, isAskedOverOld: false }
  return { name, state: 'not asked', ...nothing }
}

function leftOf(difference: Difference | null): Left | null {
  if (difference === null) return null
  const { line, excerpts, judgements: all } = difference
  const [old, gateway] = excerpts
  return { line, old, gateway, about: all.every(isHarmless) ? 'form' : 'meaning', judgements: all }
}

/** What is promised has to be kept: replay would show what differs. */
export function promiseOf(rows: readonly ReportRow[], { lookups }: AsStore): Promised {
  const own = rows.every(({ state, left }) => state !== 'not asked' && left?.about !== 'meaning')
  const overOld = rows.every((row) => row.isAskedOverOld && row.leftOverOld?.about !== 'meaning')
  const store = lookups === null && overOld
  return own ? (store ? 'alike' : 'own') : store ? 'store' : 'closest'
}

export function meaningsOf(rows: readonly ReportRow[]): Judgement[] {
  const all = rows.flatMap(({ left, leftOverOld }) => [
    ...(left?.judgements ?? []),
    ...(leftOverOld?.judgements ?? []),
  ])
  const noticed = ({ what: _, harmless: __, ...effects }: Judgement) =>
    Object.values(effects).some((effect) => effect !== 'nothing')
  return [...new Set(all)].map((name) => judgements[name]).filter(noticed)
}
