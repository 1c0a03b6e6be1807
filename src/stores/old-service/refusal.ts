// Services that answer with an error where they have not all of the values, or none of them. The dialect says
// so, and how they say it: any other error is an outage, and never means that nothing was found.

import type { UnknownHabits } from '../../database-location.ts'
import { hasMessage, messageIn, parseEntryTemplate } from '../../entry-template.ts'
import { parseTemplate, partReader } from '../../error-template.ts'
import { type Subject, textFor } from '../../paired-texts.ts'
import { errorIn, isObject, parseAnswer } from './answer.ts'
import { OldServiceError } from './failure.ts'
import type { ReadNumbers } from './number-texts.ts'
import { SEPARATOR } from './values.ts'

/** Bytes of a body, or characters, that are looked at: longer ones are pages. */
export const MAX_REFUSAL_BYTES = 10_000

/** What a refusal says of the values of a call. */
export interface Refusal {
  /** They match nothing; of the others it says nothing. */
  readonly missing: ReadonlySet<string>
}

/** @returns `null` for anything else than a refusal */
export type ReadRefusal = (status: number, body: string, asked: ReadonlySet<string>) => Refusal | null

export function createRefusals(
  habits: UnknownHabits,
  subject: Subject,
  readNumbers?: ReadNumbers,
): ReadRefusal {
  const { unknown, empty, unknownText = '', unknownStatus = null, errorBody = '' } = habits
  if (empty === 'null' || empty === 'none') return emptyReader(empty)
  if (unknownText === '' || (unknown !== 'refuse' && empty !== 'refuse')) return () => null
  const valueIn = createTemplate(textFor(subject, unknownText))
  const template = parseTemplate(errorBody)
  const textOf =
    template === null ? (body: string) => textOfError(body, readNumbers) : partReader(template, '{message}')
  return (status, body, asked) => {
    if (unknownStatus !== null && status !== unknownStatus) return null
    // The answer without entries, with a status of its own.
    if (empty === 'refuse' && status === unknownStatus && isEmpty(body)) return { missing: asked }
    const said = body.length > MAX_REFUSAL_BYTES ? null : textOf(body)
    const value = said === null ? null : valueIn(said)
    if (value === null) return null
    const named = value === '' ? [] : namedIn(value, asked)
    // Another value than those of the call: it is no answer to it.
    if (named === null) return null
    const isAboutAll = unknown !== 'refuse' || asked.size === 1
    return { missing: isAboutAll ? asked : new Set(named) }
  }
}

/**
 * Reads what is no answer by itself, and means that nothing is found where the dialect says so. No body is
 * what PHP leaves of a row that it cannot encode, too: then only a call for one value says that it is not
 * there.
 */
function emptyReader(empty: 'null' | 'none'): ReadRefusal {
  return (status, body, asked) => {
    if (status !== 200 || body.length > MAX_EMPTY_LENGTH) return null
    if (empty === 'null') return body.trim() === 'null' ? { missing: asked } : null
    return body === '' ? { missing: asked.size === 1 ? asked : new Set() } : null
  }
}

/**
 * Reads an error of which the text may hold a value. @returns the value, an empty text where there is none,
 * and `null` for another text
 */
function createTemplate(template: string): (said: string) => string | null {
  const [before = '', after] = template.split('{value}')
  if (after === undefined) return (said) => (said.trim() === template.trim() ? '' : null)
  return (said) => {
    const fits = said.startsWith(before) && said.endsWith(after)
    return fits && said.length > before.length + after.length
      ? said.slice(before.length, said.length - after.length)
      : null
  }
}

/** The values of the call that an error names: one, or some, as a list. */
function namedIn(text: string, asked: ReadonlySet<string>): string[] | null {
  if (asked.has(text)) return [text]
  for (const separator of [SEPARATOR, ', ', ',']) {
    const named = text.split(separator)
    if (named.every((value) => asked.has(value))) return named
  }
  return null
}

/** Whether an entry that is none of fields stands for a value that matches nothing. */
export function createUnknownEntries(
  { unknown = '', unknownText = '' }: UnknownHabits,
  subject: Subject,
): (entry: unknown, value: string) => boolean {
  const template = parseEntryTemplate(unknown)
  // Where the dialect does not say that there are such entries, there is no other text to expect in one.
  if (template === null && (unknown !== 'error' || unknownText === ''))
    return (entry) => errorIn(entry) !== null
  if (template !== null && !hasMessage(template)) return (entry) => messageIn(template, entry) !== null
  const valueIn = createTemplate(textFor(subject, unknownText))
  return (entry, value) => {
    const text = template === null ? errorIn(entry) : messageIn(template, entry)
    return text !== null && ['', value].includes(valueIn(text) ?? '\0')
  }
}

/** Whether it is what PHP makes of an empty array, and nothing else: no page, and no words of a proxy. */
function isEmpty(body: string): boolean {
  return body.length < MAX_EMPTY_LENGTH && /^\s*(?:\{\s*\}|\[\s*\])\s*$/.test(body)
}

/** With blanks. */
const MAX_EMPTY_LENGTH = 20

/** The text of an answer that is an error and nothing else. */
function textOfError(body: string, readNumbers: ReadNumbers | undefined): string | null {
  try {
    const answer = parseAnswer(body, readNumbers)
    return isObject(answer) && Object.keys(answer).length === 1 ? errorIn(answer) : null
  } catch (error) {
    if (error instanceof OldServiceError) return null
    throw error
  }
}
