// How the fields of one entry differ: types are named, and fields that are missing, extra or in another
// order.

import type { Field, Value } from '../answers/meaning.ts'
import { excerptsOf } from './excerpt.ts'
import type { JudgementName } from './judgements.ts'

/** Characters of a value, and of a name. */
const MAX_VALUE_LENGTH = 40

export interface FieldDifference {
  readonly old: string
  readonly gateway: string
  readonly line: string
  readonly judgement: JudgementName
}

export function differencesOfFields(
  old: readonly Field[],
  gateway: readonly Field[],
  isXml: boolean,
): FieldDifference[] {
  const [was, is] = [new Map(old), new Map(gateway)]
  const values = [...was].flatMap(([name, value]): FieldDifference[] => {
    const other = is.get(name)
    if (other === undefined) return [missing(name)]
    return sameValue(value, other) ? [] : [differenceOfValues(name, value, other)]
  })
  const extras = [...is.keys()].filter((name) => !was.has(name)).map(extra)
  const order = differenceOfOrder(
    [...was.keys()].filter((name) => is.has(name)),
    [...is.keys()].filter((name) => was.has(name)),
    isXml,
  )
  return [...values, ...extras, ...order]
}

const sameValue = (one: Value, other: Value) => one.type === other.type && one.text === other.text

function missing(field: string): FieldDifference {
  const name = shownName(field)
  const line = `${name}, which the gateway does not send`
  return { old: name, gateway: `no ${name}`, line, judgement: 'missingField' }
}

function extra(field: string): FieldDifference {
  const name = shownName(field)
  const line = `no ${name}, which the gateway sends`
  return { old: `no ${name}`, gateway: name, line, judgement: 'extraField' }
}

function differenceOfValues(field: string, old: Value, gateway: Value): FieldDifference {
  const name = shownName(field)
  const [was, is] = excerptsOf(old.text, gateway.text, MAX_VALUE_LENGTH)
  const typed = old.type !== gateway.type
  const [before, after] = [shownValue(old.type, was, typed), shownValue(gateway.type, is, typed)]
  return {
    old: `${name} ${before}`,
    gateway: `${name} ${after}`,
    line: `${name} ${before} instead of ${after}`,
    judgement: judgementOfTypes(old.type, gateway.type),
  }
}

function shownValue(type: Value['type'], text: string, typed: boolean): string {
  if (type === 'string' || type === 'text')
    return typed && text !== '' ? `the string ${JSON.stringify(text)}` : JSON.stringify(text)
  return type === 'number' && typed ? `the number ${text}` : text
}

function judgementOfTypes(old: Value['type'], gateway: Value['type']): JudgementName {
  const types = new Set([old, gateway])
  if (types.has('null')) return 'nullValue'
  if (types.has('string') && types.has('number')) return 'numberAsText'
  if (types.has('string') && types.has('boolean')) return 'booleanAsText'
  if (types.has('number') && types.has('boolean')) return 'booleanAsNumber'
  return 'otherValue'
}

/** @param was names that both have, as the old service orders them, and @param is as the gateway does */
function differenceOfOrder(was: readonly string[], is: readonly string[], isXml: boolean): FieldDifference[] {
  const at = was.findIndex((name, place) => name !== is[place])
  if (at === -1) return []
  const [first, instead] = [was.slice(at), is.slice(at)].map((names) =>
    names.slice(0, 3).map(shownName).join(', '),
  )
  return [
    {
      old: `then ${first}`,
      gateway: `then ${instead}`,
      line: `the order ${first} instead of ${instead}`,
      judgement: isXml ? 'elementOrder' : 'memberOrder',
    },
  ]
}

/** A field's name comes from outside, and may be anything. */
const shownName = (name: string) => name.slice(0, MAX_VALUE_LENGTH).replace(/\0.*/s, ' repeated')
