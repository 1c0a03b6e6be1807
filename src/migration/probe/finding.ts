// What one question has shown, and how two such findings differ.

import { cut } from '../../terminal/table.ts'
import type { Field } from '../answers/meaning.ts'
import { excerptsOf } from './excerpt.ts'
import { differencesOfFields, type FieldDifference } from './field-differences.ts'
import type { JudgementName } from './judgements.ts'

/** Of what kind an answer is; `list` is an empty answer that is a list, or null. */
export type Kind = 'entries' | 'list' | 'refusal' | 'unreadable' | 'none'

export interface Finding {
  readonly kind: Kind
  /** In words: the same for the same behaviour. */
  readonly text: string
  /** Where the question is about one entry: its fields, which are compared one by one. */
  readonly fields?: readonly Field[]
  /** Whether the fields stand in an order that counts. */
  readonly isXml?: boolean
}

/** What an old service does otherwise than a gateway. */
export interface Difference {
  /** Each in a few words, cut so that the place is seen where they begin to differ. */
  readonly old: string
  readonly gateway: string
  /** All of it in a line. */
  readonly line: string
  /** What each does, where there is more room. */
  readonly excerpts: readonly [old: string, gateway: string]
  readonly judgements: readonly JudgementName[]
}

/** Says what a difference means, where both are answers in words. */
export type Judge = (old: Finding, gateway: Finding) => JudgementName

/** Characters of a cell of a table and of an excerpt in a line. */
export const MAX_SHORT_LENGTH = 48
const MAX_EXCERPT_LENGTH = 120
/** Fields that are named. */
const MAX_FIELDS = 20

export function differenceOf(old: Finding, gateway: Finding, judge: Judge): Difference | null {
  if (old.fields !== undefined && gateway.fields !== undefined) {
    const isXml = old.isXml ?? false
    const of = differencesOfFields(old.fields, gateway.fields, isXml)
    if (of.length > 0) return joined(of)
  }
  if (old.text === gateway.text) return null
  const [was, is] = excerptsOf(old.text, gateway.text, MAX_EXCERPT_LENGTH)
  const [shortly, instead] = excerptsOf(old.text, gateway.text, MAX_SHORT_LENGTH)
  return {
    old: shortly,
    gateway: instead,
    line: `old service: ${was}; gateway: ${is}`,
    excerpts: [was, is],
    judgements: [judge(old, gateway)],
  }
}

function joined(all: readonly FieldDifference[]): Difference {
  const shown = all.slice(0, MAX_FIELDS)
  const more = all.length > shown.length ? [`and ${all.length - shown.length} more`] : []
  const [old, gateway] = [shown.map(({ old }) => old).join(', '), shown.map((one) => one.gateway).join(', ')]
  return {
    old: cut(old, MAX_SHORT_LENGTH),
    gateway: cut(gateway, MAX_SHORT_LENGTH),
    line: [...shown.map(({ line }) => line), ...more].join(', '),
    excerpts: [old, gateway],
    judgements: [...new Set(all.map(({ judgement }) => judgement))],
  }
}
