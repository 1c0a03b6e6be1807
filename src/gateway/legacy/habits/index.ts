// The table of habits. A new habit is one file and one row here.

import { isDeepStrictEqual } from 'node:util'
import type { Setting } from '../../../setting-kinds.ts'
import { anyCase } from './any-case.ts'
import { appsOrder } from './apps-order.ts'
import { booleans } from './booleans.ts'
import { chatMethod } from './chat-method.ts'
import { duplicates } from './duplicates.ts'
import { empty } from './empty.ts'
import { emptyValues } from './empty-values.ts'
import { errorBody } from './error-body.ts'
import { errorBodyXml } from './error-body-xml.ts'
import { errorCodes } from './error-codes.ts'
import { errorStatus } from './error-status.ts'
import { errorStatuses } from './error-statuses.ts'
import { errorTexts } from './error-texts.ts'
import { errorType } from './error-type.ts'
import { fields } from './fields.ts'
import type { Habit, Outcome } from './habit.ts'
import type { Probing } from './heard.ts'
import { jsonFlags } from './json-flags.ts'
import { jsonType } from './json-type.ts'
import { keys } from './keys.ts'
import { keysXml } from './keys-xml.ts'
import { list } from './list.ts'
import { looseIds } from './loose-ids.ts'
import { malformed } from './malformed.ts'
import { maxAge } from './max-age.ts'
import { maxValues } from './max-values.ts'
import { noValues } from './no-values.ts'
import { numbers } from './numbers.ts'
import { order } from './order.ts'
import { otherEvent } from './other-event.ts'
import { otherFormat } from './other-format.ts'
import { otherMethod } from './other-method.ts'
import { paths } from './paths.ts'
import { repeated } from './repeated.ts'
import { serviceName } from './service-name.ts'
import { textEscapes } from './text-escapes.ts'
import { tooMany } from './too-many.ts'
import { unknown } from './unknown.ts'
import { unknownStatus } from './unknown-status.ts'
import { unknownText } from './unknown-text.ts'
import { unknownXml } from './unknown-xml.ts'
import { usernames } from './usernames.ts'
import { xmlDeclaration } from './xml-declaration.ts'
import { xmlFlags } from './xml-flags.ts'
import { xmlIndent } from './xml-indent.ts'
import { xmlRoot } from './xml-root.ts'
import { xmlStyle } from './xml-style.ts'
import { xmlType } from './xml-type.ts'

/** In the order of the documentation: what is read, what is answered, errors, headers. */
const declared = {
  paths,
  serviceName,
  chatMethod,
  anyCase,
  repeated,
  otherEvent,
  otherFormat,
  otherMethod,
  list,
  noValues,
  emptyValues,
  looseIds,
  malformed,
  usernames,
  duplicates,
  maxValues,
  tooMany,
  keys,
  keysXml,
  order,
  appsOrder,
  fields,
  unknown,
  unknownXml,
  unknownText,
  unknownStatus,
  empty,
  numbers,
  booleans,
  textEscapes,
  jsonFlags,
  jsonType,
  xmlStyle,
  xmlFlags,
  xmlIndent,
  xmlDeclaration,
  xmlRoot,
  xmlType,
  errorBody,
  errorBodyXml,
  errorType,
  errorStatus,
  errorStatuses,
  errorTexts,
  errorCodes,
  maxAge,
}

type Declared = typeof declared
type Name = keyof Declared

/** The value of each habit. */
export type HabitValues = {
  readonly [Key in Name]: Declared[Key] extends Habit<infer Value> ? Value : never
}

const habits: { readonly [Key in Name]: Habit<HabitValues[Key]> } = declared
// The cast is for Object.keys, whose type forgets which keys there are.
const names = Object.keys(declared) as readonly Name[]

/** The rows of the table of settings. */
export const habitSettings = Object.fromEntries(
  names.map((name) => [name, declared[name].setting]),
) as unknown as { readonly [Key in Name]: Declared[Key]['setting'] }

/** What a setting did to an answer: its name, the value, and a sentence. */
export type Effect = readonly [setting: string, value: string, effect: string]

/** The effects on an answer of those settings that differ from their defaults. */
export function effectsOf(values: HabitValues, outcome: Outcome): Effect[] {
  return names.flatMap((name) => effectOf(name, values, outcome))
}

function effectOf<Key extends Name>(name: Key, values: HabitValues, outcome: Outcome): Effect[] {
  const { setting, effect } = habits[name]
  const value = values[name]
  if (isDeepStrictEqual(value, setting.fallback)) return []
  const said = effect(value, outcome)
  return said === null ? [] : [[setting.name, String(value), said]]
}

type SettingOf<Key extends Name> =
  Declared[Key]['setting'] extends Setting<unknown, infer Text> ? Text : never
type HabitSetting = { [Key in Name]: SettingOf<Key> }[Name]

/** Finds out the habits of an old service. @returns the texts of those settings that it tells a value for */
export async function tellHabits(probing: Probing): Promise<Partial<Record<HabitSetting, string>>> {
  const told: Partial<Record<HabitSetting, string>> = {}
  for (const name of names) {
    const { setting, tell } = declared[name]
    const value = await tell(probing)
    if (value !== null) told[setting.name] = value
  }
  return told
}
