// What stands for an entry that an old service does not have, where that is an object of its own: a template
// such as {"error":"{message}"}.

import { isDeeper } from './json-depth.ts'

/** Names and what they are, in order. */
export type EntryTemplate = readonly (readonly [name: string, content: TemplateContent])[]
type TemplateContent = string | number | boolean | null | EntryTemplate

/** The whole of a text, once at most. */
export const MESSAGE = '{message}'

const MAX_LENGTH = 500
const MAX_LEVELS = 3
/** In XML, they name elements. */
const memberName = /^[A-Za-z_][\w.-]{0,60}$/

/** Reads a template. @returns `null` where it is none */
export function parseEntryTemplate(text: string): EntryTemplate | null {
  if (text.length > MAX_LENGTH || !text.startsWith('{') || !text.isWellFormed()) return null
  if (isDeeper(text, MAX_LEVELS)) return null
  try {
    const template = entryTemplateOf(JSON.parse(text))
    return template === null || messagesIn(template) > 1 ? null : template
  } catch {
    return null
  }
}

/** @returns `null` for what is no object, or has a list in it, a name that XML has not, or nothing at all */
export function entryTemplateOf(value: unknown): EntryTemplate | null {
  if (!isObject(value)) return null
  const members = Object.entries(value).map(([name, content]) => [name, contentOf(content)] as const)
  const known = members.flatMap(([name, content]) =>
    content === undefined || !memberName.test(name) ? [] : [[name, content] as const],
  )
  return known.length === members.length && known.length > 0 ? known : null
}

function contentOf(value: unknown): TemplateContent | undefined {
  if (typeof value === 'string') return /\p{Cc}/u.test(value) ? undefined : value
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return entryTemplateOf(value) ?? undefined
}

function messagesIn(template: EntryTemplate): number {
  return template.reduce(
    (count, [, content]) => count + (isMembers(content) ? messagesIn(content) : content === MESSAGE ? 1 : 0),
    0,
  )
}

export function hasMessage(template: EntryTemplate): boolean {
  return messagesIn(template) > 0
}

export function isMembers(content: TemplateContent): content is EntryTemplate {
  return Array.isArray(content)
}

/**
 * Reads an entry that a template describes, in whatever order.
 * @returns the text in the place of the message, an empty one where there is no such place; `null` where
 * the entry is another
 */
export function messageIn(template: EntryTemplate, entry: unknown): string | null {
  if (!isObject(entry) || Object.keys(entry).length !== template.length) return null
  let message = ''
  for (const [name, content] of template) {
    const value = Object.hasOwn(entry, name) ? entry[name] : undefined
    if (isMembers(content)) {
      const within = messageIn(content, value)
      if (within === null) return null
      message += within
    } else if (content === MESSAGE) {
      if (typeof value !== 'string') return null
      message += value
    } else if (content !== value) return null
  }
  return message
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As one would write it in a setting. */
export function writeEntryTemplate(template: EntryTemplate): string {
  const plain = (members: EntryTemplate): object =>
    Object.fromEntries(
      members.map(([name, content]) => [name, isMembers(content) ? plain(content) : content]),
    )
  return JSON.stringify(plain(template))
}
