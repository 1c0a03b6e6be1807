// Which value of LEGACY_UNKNOWN stands for an entry as an old service has it.

import {
  type EntryTemplate,
  entryTemplateOf,
  isMembers,
  MESSAGE,
  parseEntryTemplate,
  writeEntryTemplate,
} from '../../../entry-template.ts'
import { errorBody, errorName } from './error-body.ts'
import { fieldsIn, type Heard, type Probing } from './heard.ts'
import { UNKNOWN } from './questions.ts'
import { formOfFields } from './unknown-fields.ts'
import { entryAsWritten, hearUnknownXml } from './unknown-heard.ts'

const literals = ['null', 'false', '[]'] as const

/** @param heard an answer with an entry for an identifier that nobody has. @returns `null` where none does */
export async function formOfEntry(heard: Heard, probing: Probing): Promise<string | null> {
  const said = heard.entries?.get(UNKNOWN)
  const fields = fieldsIn(said)
  if (fields !== null) {
    if (fields.length === 0) return '{}'
    return isOfFields(fields.map(([name]) => name))
      ? formOfFields(fields, probing)
      : formOfObject(heard, probing)
  }
  const text = said !== undefined && 'text' in said ? said.text : ''
  return literals.find((literal) => literal === text) ?? null
}

/** Whether an entry is one of fields, rather than about an error. */
function isOfFields(names: readonly string[]): boolean {
  return ['Id', 'Username', 'Title', 'Version'].some((field) => names.includes(field))
}

async function formOfObject(heard: Heard, probing: Probing): Promise<string | null> {
  const object = entryTemplateOf(entryAsWritten(heard))
  if (object === null) return null
  const [message = null] = textsIn(object).filter(isMessage).concat(textsIn(object).filter(isAboutError))
  const template = withMessage(object, message)
  // Anything else in it that follows what was asked for would stay as it was for this identifier.
  if (writeEntryTemplate(template).includes(UNKNOWN)) return null
  const [only, ...others] = template
  const name = errorName((await errorBody.tell(probing)) ?? '')
  if (others.length === 0 && only?.[0] === name && only[1] === MESSAGE && !(await isLowerInXml(probing)))
    return 'error'
  const text = writeEntryTemplate(template)
  return parseEntryTemplate(text) === null ? null : text
}

type NamedText = readonly [name: string, text: string]

function textsIn(object: EntryTemplate): NamedText[] {
  return object.flatMap(([name, content]): NamedText[] => {
    if (isMembers(content)) return textsIn(content)
    return typeof content === 'string' ? [[name, content]] : []
  })
}

const isMessage = ([name, text]: NamedText) => text.includes(UNKNOWN) || /message/i.test(name)
const isAboutError = ([name]: NamedText) =>
  /^(?:errors?|details?|description|reason|text|title|msg)$/i.test(name)

/** With a place for the message, where a text is one. */
function withMessage(object: EntryTemplate, message: NamedText | null): EntryTemplate {
  const [name, text] = message ?? []
  return object.map(([member, content]) => {
    if (isMembers(content)) return [member, withMessage(content, message)]
    return [member, member === name && content === text ? MESSAGE : content]
  })
}

/** The word has an Error element in XML, whatever the case in JSON is; an object has its own names. */
async function isLowerInXml(probing: Probing): Promise<boolean> {
  const { said } = await hearUnknownXml(probing)
  return fieldsIn(said)?.[0]?.[0] === 'error'
}
