// An answer in a few words, the same for the same behaviour: that is how two services are compared.

import { NoReply, type Reply } from '../../stores/old-service/call.ts'
import { ownFields } from '../../stores/old-service/fields.ts'
import { shorten } from '../../text.ts'
import { type Entries, type Entry, type Field, isFields, type Meaning } from '../answers/meaning.ts'
import { meaningOf } from '../answers/read.ts'
import type { Outcome } from './ask.ts'
import type { Kind } from './finding.ts'

/** What an answer says; `null` where none came. */
export function meaningOfOutcome(outcome: Outcome): Meaning | null {
  return outcome instanceof NoReply ? null : meaningOfReply(outcome)
}

/** Most answers are looked at by many habits and behaviours, and read once. */
export function meaningOfReply(reply: Reply): Meaning {
  const known = meanings.get(reply) ?? meaningOf(reply)
  meanings.set(reply, known)
  return known
}

const meanings = new WeakMap<Reply, Meaning>()

/**
 * What is said of an identifier; `null` where it is nothing. Some services name entries as they are stored:
 * then it is the one with that id.
 */
export function fieldsOf(outcome: Outcome, value: string): readonly Field[] | null {
  const found = foundIn(outcome)
  const isIt = (said: readonly Field[]) => said.some(([name, { text }]) => name === 'Id' && text === value)
  return found.get(value) ?? [...found.values()].find(isIt) ?? null
}

/** The same where one identifier was asked for, of whatever kind. */
export function onlyFieldsOf(outcome: Outcome, value: string): readonly Field[] | null {
  const found = foundIn(outcome)
  const [only = null] = found.size === 1 ? found.values() : []
  return found.get(value) ?? only
}

/** What is said of those that are found, by what they are named. */
export function foundIn(outcome: Outcome): ReadonlyMap<string, readonly Field[]> {
  const meaning = meaningOfOutcome(outcome)
  const found = new Map<string, readonly Field[]>()
  if (meaning?.kind !== 'entries') return found
  for (const [name, said] of meaning.entries) if (isFields(said) && isFound(said)) found.set(name, said)
  return found
}

const own: ReadonlySet<string> = new Set(Object.values(ownFields).flat())
const isOwn = ([name]: Field) => own.has(name)

/** Some services answer an identifier that they do not have with all fields, and nothing in them. */
function isFound(fields: readonly Field[]): boolean {
  return fields.some(isOwn) && fields.some(([, { type, text }]) => type !== 'null' && text !== '')
}

export function describeNoReply({ kind, message }: NoReply): string {
  return kind === 'redirected' ? message.replace(/^it | ?: .*$/g, '') : `no response: ${message}`
}

/** @param asked the identifiers that were asked for */
export function describeOutcome(outcome: Outcome, asked: readonly string[]): string {
  if (outcome instanceof NoReply) return describeNoReply(outcome)
  const meaning = meaningOfReply(outcome)
  if (meaning.kind === 'unreadable' && outcome.body.length === 0) return `status ${outcome.status}, no body`
  if (meaning.kind === 'unreadable') return `status ${outcome.status}, unreadable: ${meaning.reason}`
  if (meaning.kind === 'refusal') return describeStatus(outcome.status)
  if (meaning.entries.size > 0)
    return describeEntries(meaning, asked) + (isWrittenAsList(outcome) ? ', as a list' : '')
  if (kindOf(outcome) !== 'list') return describeEntries(meaning, asked)
  return isNull(outcome) ? 'empty response, as null' : 'empty response, as []'
}

export function kindOf(outcome: Outcome): Kind {
  if (outcome instanceof NoReply) return 'none'
  const meaning = meaningOfReply(outcome)
  if (meaning.kind !== 'entries' || meaning.entries.size > 0) return meaning.kind
  return isWrittenAsList(outcome) || isNull(outcome) ? 'list' : 'entries'
}

/** To a client in a typed language a list is another type than an object. A byte order mark is white space here. */
function isWrittenAsList({ body }: Reply): boolean {
  return /^\s*\[/.test(body.toString('utf8', 0, 100))
}

function isNull({ body }: Reply): boolean {
  return /^\s*null/.test(body.toString('utf8', 0, 100))
}

function describeStatus(status: number): string {
  return status >= 500 ? `fails, status ${status}` : `error, status ${status}`
}

function describeEntries({ entries }: Entries, asked: readonly string[]): string {
  if (entries.size === 0) return 'empty response'
  const wanted = new Set(asked)
  const others = [...entries.keys()].filter((value) => !wanted.has(value))
  const owners = new Map<string, string>()
  for (const other of others) {
    const owner = ownerOf(other, entries.get(other), asked, others.length)
    if (owner !== undefined && !entries.has(owner) && !owners.has(owner)) owners.set(owner, other)
  }
  const said = asked.map((value) => {
    const other = owners.get(value)
    return `${show(value)} ${other === undefined ? describeSaid(entries.get(value)) : `found as ${show(other)}`}`
  })
  const owned = new Set(owners.values())
  const unasked = others
    .filter((value) => !owned.has(value))
    .map((value) => `${show(named(value))} ${wanted.has(named(value)) ? 'repeated' : 'not requested'}`)
  const all = [...said, ...unasked]
  return all.every((one) => one.endsWith(' found')) ? (all.length > 1 ? 'all found' : 'found') : listed(all)
}

/**
 * The identifier that an entry under another name is about: by its id, or since nothing else was asked for.
 */
function ownerOf(
  name: string,
  said: Entry | undefined,
  asked: readonly string[],
  others: number,
): string | undefined {
  if (said === undefined || !isFields(said) || !isFound(said) || named(name) !== name) return undefined
  const id = said.find(([field]) => field === 'Id')?.[1].text
  return asked.find((value) => value === id) ?? (asked.length === 1 && others === 1 ? asked[0] : undefined)
}

/** What an entry is named; the reader marks what comes twice. */
export const named = (value: string) => value.replace(/\0.*/s, '')

/** Items of a list, and characters of an item: more is not read, and an answer may be all one list. */
const MAX_SHOWN_ENTRIES = 50
export const MAX_SHOWN_LENGTH = 100

export function listed(items: readonly string[]): string {
  const shown = items.slice(0, MAX_SHOWN_ENTRIES).map((item) => shorten(item, MAX_SHOWN_LENGTH))
  return [...shown, ...(items.length > MAX_SHOWN_ENTRIES ? ['…'] : [])].join(', ')
}

export function describeSaid(said: Entry | undefined): string {
  if (said === undefined) return 'missing'
  if (isFields(said)) {
    if (isFound(said)) return 'found'
    if (said.some(isOwn)) return 'with empty fields'
    return `as {${shorten(said.map(([name]) => name).join(', '), MAX_SHOWN_LENGTH)}}`
  }
  return said.type === 'text' ? 'as an empty entry' : `as ${shorten(said.text, MAX_SHOWN_LENGTH)}`
}

function show(value: string): string {
  const short = shorten(value, 24)
  return /^[\w.-]+$/.test(short) ? short : JSON.stringify(short)
}
