// What a difference shows of its reason, where a habit of the old service may be one: told by the request of
// the example, and by what the two answered. It is a guess, and the reports say so.

import { readConfig } from '../../config.ts'
import { legacyEvents } from '../../gateway/legacy/events/index.ts'
import { type HabitSetting, settingsFor } from '../../gateway/legacy/habits/index.ts'
import { type Symptom, wrongRequests } from '../../gateway/legacy/habits/symptom.ts'
import { parseQueryString } from '../../gateway/legacy/query-string.ts'
import { createAskedReader } from '../census/asked-reader.ts'
import { MAX_STORED_LENGTH } from './ledger.ts'
import type { Group } from './settled.ts'

type Shown = Pick<Group, 'event' | 'method' | 'format' | 'field' | 'kind' | 'query' | 'old' | 'new'>

/** The settings that may be the reason of a difference. */
export function fixesOf(group: Shown): HabitSetting[] {
  return settingsFor(symptomsOf(group))
}

function symptomsOf(group: Shown): readonly Symptom[] {
  if (group.field === 'answer') return ofAnswer(group)
  return group.field === 'entry' ? ofEntry(group) : ofField(group)
}

function ofAnswer(group: Shown): readonly Symptom[] {
  const { kind, old, new: fresh } = group
  const [wrong] = ofRequest(group)
  const asked = wrong === undefined ? [] : [wrong]
  if (kind === 'root') return /^\w+API$/.test(old) && /^\w+API$/.test(fresh) ? ['root element'] : []
  if (kind === 'status') return isError(old) || isError(fresh) ? ['status of an error', ...asked] : []
  if (kind === 'format') return asked.length === 0 ? [] : [inFormat('format of an error', group), ...asked]
  if (kind !== 'refused' && kind !== 'unreadable') return []
  const code = /"Code":"(\w+)"|<Code>(\w+)</.exec(fresh)?.slice(1).find(Boolean)
  if (code === 'NotFound') return ['no such path']
  const refused = wrongRequests.find((one) => one === code)
  if (wrong !== undefined) return [wrong]
  return refused === undefined ? ofRefusal(group) : [refused]
}

/** Values of a list whose length may be why it is refused, though something of it is not found. */
const LONG_LIST = 10

/** One refuses a request in which nothing is wrong: its list is too long, or something of it is not found. */
function ofRefusal({ query, kind, old, new: fresh }: Shown): readonly Symptom[] {
  const [, entries] = /^answered, ([\d,]+) entr/.exec(old.startsWith('answered') ? old : fresh) ?? []
  if (entries === undefined) return []
  const found = Number(entries.replaceAll(',', ''))
  if (found === 0) return ['nothing found']
  if (kind === 'unreadable') return []
  const values = new Set(valuesIn(query)).size
  const isUnfound = values > found
  const isLong = isUnfound ? values >= LONG_LIST : found > 1
  return [...(isUnfound ? (['all refused'] as const) : []), ...(isLong ? (['TooManyValues'] as const) : [])]
}

function ofEntry(group: Shown): readonly Symptom[] {
  const { event, method, format, kind, old, new: fresh } = group
  if (kind === 'order') {
    if (fresh.split(' ').every((name) => typeOf(name) !== undefined)) return ['order of fields']
    return [event === 'AppLookup' ? 'order of apps' : 'order of users']
  }
  const values = valuesIn(group.query) ?? []
  const said = [old, fresh].filter((text) => text !== '')
  const isUnfound = said.every(isNothing)
  const isById = method === 'id' || event === 'AppLookup'
  const some = (symptom: Symptom, isSeen: boolean) => (isSeen ? [symptom] : [])
  return [
    ...ofRequest(group),
    ...some(inFormat('identifier that matches nothing', group), isUnfound),
    ...some(inFormat('name of an entry', group), !isUnfound && !isById && said.length === 1),
    ...some('TooManyValues', !isUnfound && isById && kind === 'extra' && values.length > 1),
    ...some('username', !isUnfound && method === 'username'),
    ...some('other spelling of an id', isById && values.some((value) => !/^[1-9]\d*$/.test(value))),
    ...some(
      'other separator',
      values.some((value) => /[,\s]/.test(value)),
    ),
    ...some('empty value', values.includes('')),
    ...some('repeated value', format === 'XML' && new Set(values).size < values.length),
  ]
}

/** What stands for nobody: null and its like, an error, or fields that are all empty, 0, null or false. */
function isNothing(said: string): boolean {
  return (
    /(?:^|: )(?:|null|false|""|\[\]|\{\}|error=.*)$/i.test(said) ||
    /^[^=]*=(?:(?:0|null|false)?, \w+=)*(?:0|null|false)?$/.test(said)
  )
}

/** XML may have settings of its own. */
function inFormat(
  symptom: 'format of an error' | 'identifier that matches nothing' | 'name of an entry',
  { format }: Shown,
): Symptom {
  return format.toUpperCase() === 'XML' ? `${symptom} in XML` : symptom
}

function ofField(group: Shown): readonly Symptom[] {
  const { field, format, kind, old, new: fresh } = group
  if (/^\w+DownloadLink$/.test(field) && (kind === 'missing' || kind === 'extra'))
    return ['field named after the service']
  const type = typeOf(field)
  if (kind === 'type') {
    const types = [old, fresh].map((text) => /\((\w+)\)$/.exec(text)?.[1] ?? '')
    if (types.includes('null')) return [inFormat('identifier that matches nothing', group)]
    if (type === 'boolean') return ['boolean']
    if (types.toSorted().join() !== 'number,string') return []
    return type === 'integer' ? ['integer as text'] : ['text as number']
  }
  if (kind !== 'value') return []
  if (type === 'boolean' && format !== 'XML') return ['boolean']
  const escaped = [old, fresh].map((text) => /&(?:amp|lt|gt|quot|#0?39);/.test(text))
  return type === 'string' && escaped[0] !== escaped[1] ? ['escaped text'] : []
}

const isError = (status: string) => Number(status) >= 400

const { dialect } = readConfig({})
const exactly = createAskedReader(dialect, (asked) => asked)
const anyCase = ['parameters', 'events', 'methods', 'formats'] as const
const inAnyCase = createAskedReader({ ...dialect, anyCase }, (asked) => asked)
const types = new Map(
  legacyEvents(dialect).flatMap(({ fields }) => fields.map(({ name, type }) => [name, type])),
)
const typeOf = (field: string) => types.get(field) ?? (/^\w+DownloadLink$/.test(field) ? 'string' : undefined)

/** What is wrong with the request, as a gateway reads it whose settings are the defaults. */
function ofRequest({ query }: Shown): readonly Symptom[] {
  // Of a longer one, the end is not known.
  if (query.length >= MAX_STORED_LENGTH) return []
  const problem = wrongRequests.find((code) => code === exactly(query).problem)
  if (problem === undefined) return []
  return inAnyCase(query).problem === '' ? ['other case'] : [problem]
}

/** The values of its list; `null` where they are not known. */
function valuesIn(query: string): readonly string[] | null {
  if (query.length >= MAX_STORED_LENGTH) return null
  try {
    const parameters = parseQueryString(query)
    const at = parameters.findIndex((name, place) => place % 2 === 0 && /^(?:users|apps)$/i.test(name))
    return at === -1 ? null : (parameters[at + 1] ?? '').split(':')
  } catch {
    return null
  }
}
