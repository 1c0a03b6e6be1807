import { optional } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { fieldsIn, type Probing, type Said } from './heard.ts'
import { questions, UNKNOWN } from './questions.ts'
import { unknown } from './unknown.ts'

const choices = ['omit', 'empty', 'empty-fields', 'error'] as const
export type UnknownXml = (typeof choices)[number]

/** What a value that matches nothing becomes in XML, where the two settings are these. */
export function unknownInXml(unknown: string, unknownXml: UnknownXml | null): UnknownXml {
  return unknownXml ?? (unknown === 'omit' || unknown === 'refuse' ? 'omit' : 'empty')
}

const becomes: Readonly<Record<UnknownXml, string>> = {
  omit: 'are left out',
  empty: 'become an empty Data element',
  'empty-fields': 'become a Data element with empty fields',
  error: 'become a Data element with an Error in it',
}

/** Loops that write XML and JSON differ in one service: where JSON says `null`, XML often says nothing. */
export const unknownXml = habit({
  setting: optional(
    'LEGACY_UNKNOWN_XML',
    choices.join(', '),
    'what an identifier that matches nothing becomes in XML; unset: left out, or empty, as LEGACY_UNKNOWN has it',
    (text) => choices.find((choice) => choice === text),
  ),
  effect: (value, { format, missing }) =>
    value === null || format !== 'XML' || missing.length === 0
      ? null
      : `In XML, values that match nothing ${becomes[value]}.`,
  tell: async (probing) => {
    const told = await kindIn(probing)
    // Nothing is to be said where it follows what JSON has.
    return told === unknownInXml((await unknown.tell(probing)) ?? 'omit', null) ? null : told
  },
})

async function kindIn({ ask, ids: [id = ''] }: Probing): Promise<UnknownXml | null> {
  const asked = [[id, UNKNOWN], [UNKNOWN]].map((values) => questions.inXml(questions.byId(values)))
  const heard = [await ask(asked[0] ?? ''), await ask(asked[1] ?? '')].map((one) => one?.entries ?? null)
  const said = heard.map((entries) => entries?.get(UNKNOWN)).find((one) => one !== undefined)
  if (said !== undefined) return kindOf(said)
  // Other entries beside an error are an answer, and have none for it.
  return heard.some((entries) => entries !== null) ? 'omit' : null
}

function kindOf(said: Said): UnknownXml | null {
  const fields = fieldsIn(said)
  if (fields === null) return 'text' in said && said.text === '' ? 'empty' : null
  if (fields.every(([, { text }]) => text === '')) return 'empty-fields'
  return fields.length === 1 && fields[0]?.[0] === 'Error' ? 'error' : null
}
