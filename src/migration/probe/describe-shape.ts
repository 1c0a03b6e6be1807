// What an answer looks like, in a few words: its fields, order, format, and what stands around it.

import { NoReply } from '../../stores/old-service/call.ts'
import { shorten } from '../../text.ts'
import { isFields } from '../answers/meaning.ts'
import type { Outcome } from './ask.ts'
import {
  describeNoReply,
  describeOutcome,
  fieldsOf,
  kindOf,
  listed,
  MAX_SHOWN_LENGTH,
  meaningOfOutcome,
  named,
} from './describe.ts'

export function describeFields(outcome: Outcome, value: string): string {
  const fields = fieldsOf(outcome, value)
  return fields === null
    ? describeOutcome(outcome, [value])
    : listed(fields.map(([name, { type }]) => `${name} ${type}`))
}

/** With the values of the two fields that XML writes in ways of its own. */
export function describeXml(outcome: Outcome, value: string): string {
  const meaning = meaningOfOutcome(outcome)
  const fields = fieldsOf(outcome, value)
  if (meaning?.kind !== 'entries' || fields === null) return describeOutcome(outcome, [value])
  const booleans = ['IsConfirmed', 'Banned']
  const shown = fields.map(([name, { text }]) =>
    booleans.includes(name) ? `${name} ${text || 'empty'}` : name,
  )
  return `${shorten(meaning.root, MAX_SHOWN_LENGTH)}: ${listed(shown)}`
}

export function describeOrder(outcome: Outcome): string {
  const meaning = meaningOfOutcome(outcome)
  if (meaning?.kind !== 'entries') return describeOutcome(outcome, [])
  return listed([...meaning.entries].filter(([, said]) => isFields(said)).map(([value]) => named(value)))
}

export function describeFormat(outcome: Outcome): string {
  const meaning = meaningOfOutcome(outcome)
  if (meaning === null || meaning.kind === 'unreadable') return describeOutcome(outcome, [])
  return meaning.kind === 'entries' ? meaning.format : `${describeOutcome(outcome, [])}, in ${meaning.format}`
}

/** JSON as the argument of a function, which a page calls by a script element. */
export function describeJsonp(callback: string, asked: readonly string[]): (outcome: Outcome) => string {
  return (outcome) => {
    if (outcome instanceof NoReply) return describeNoReply(outcome)
    const start = outcome.body.toString('utf8', 0, 100).trimStart()
    return start.replace(/^\/\*\*\/\s*/, '').startsWith(`${callback}(`)
      ? `JSONP: ${callback}(…)`
      : describeOutcome(outcome, asked)
  }
}

/** Whether POST is answered; how it is refused says nothing of lookups. */
export function describePost(outcome: Outcome): string {
  return kindOf(outcome) === 'entries' ? 'answered' : 'not answered'
}

/** Characters of a refusal. */
const MAX_REFUSAL_LENGTH = 500

export function describeRefusal(outcome: Outcome): string {
  const meaning = meaningOfOutcome(outcome)
  if (meaning?.kind !== 'refusal') return describeOutcome(outcome, [])
  return `status ${outcome instanceof NoReply ? 0 : outcome.status}: ${meaning.text.trim().slice(0, MAX_REFUSAL_LENGTH)}`
}
