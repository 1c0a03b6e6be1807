import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { fieldsIn, type Heard, type Probing } from './heard.ts'
import { isFound } from './known.ts'
import { questions } from './questions.ts'

const setting = oneOf(
  'LEGACY_OTHER_EVENT',
  'refuse',
  ['refuse', 'ProfileLookup', 'AppLookup', 'ProfileLookup-if-missing', 'ProfileLookup-if-empty'],
  'what a missing, an empty or an unknown Event means: an error, or that lookup; ProfileLookup-if-missing: only a missing one means it, ProfileLookup-if-empty: a missing or an empty one',
)

export type OtherEvent = (typeof setting)['fallback']

/**
 * The last branch of an old service is `else`, or `default:`; or its event has a default, with `??`, which
 * sees only what is missing, or with `empty()`.
 */
export const otherEvent = habit({
  setting,
  effect: (value, { error, isListMissing, eventGiven }) => {
    if (eventGiven === 'known' || beforeEvents.has(error?.code ?? '')) return null
    if (error?.code === 'UnknownEvent' || (error?.code === 'MissingParameter' && !isListMissing))
      return `${inWords[eventGiven]} Event is refused.`
    return meantBy(value, eventGiven) === null ? null : `${inWords[eventGiven]} Event means ${nameIn(value)}.`
  },
  tell: async (probing) => {
    const { ids, apps, ask } = probing
    const [id = ''] = ids
    const said = async (question: string) => eventIn(await ask(question), probing)
    const missing = await said(questions.noEvent(id, apps[0]))
    if (missing === null) return 'refuse'
    if ((await said(questions.unknownEvent(id, apps[0]))) === missing) return missing
    if (missing !== 'ProfileLookup') return 'refuse'
    const empty = await said(`Event=&${questions.noEvent(id, apps[0])}`)
    return empty === missing ? 'ProfileLookup-if-empty' : 'ProfileLookup-if-missing'
  },
})

/** What is refused before the event is looked at. */
const beforeEvents: ReadonlySet<string> = new Set(['MalformedQuery', 'RepeatedParameter', 'UnknownFormat'])

const inWords = { missing: 'A missing', empty: 'An empty', unknown: 'An unknown' } as const

/** Which event an answer to a question for a user and an app is that of. */
function eventIn(heard: Heard | null, probing: Probing): 'ProfileLookup' | 'AppLookup' | null {
  if (isFound(heard, probing)) return 'ProfileLookup'
  const fields = fieldsIn(heard?.entries?.get(probing.apps[0] ?? '')) ?? []
  return fields.some(([name]) => name === 'Title') ? 'AppLookup' : null
}

/** What an event is that no lookup has the name of. */
export type EventGiven = 'missing' | 'empty' | 'unknown'

export function eventGiven(name: string | undefined): EventGiven {
  return name === undefined ? 'missing' : name === '' ? 'empty' : 'unknown'
}

const conditions: Readonly<Record<OtherEvent, readonly EventGiven[]>> = {
  refuse: [],
  ProfileLookup: ['missing', 'empty', 'unknown'],
  AppLookup: ['missing', 'empty', 'unknown'],
  'ProfileLookup-if-missing': ['missing'],
  'ProfileLookup-if-empty': ['missing', 'empty'],
}

/** The name of the event that such a one means; `null` where it is refused. */
function meantBy(value: OtherEvent, given: EventGiven): 'ProfileLookup' | 'AppLookup' | null {
  return conditions[value].includes(given) ? nameIn(value) : null
}

const nameIn = (value: OtherEvent) => (value === 'AppLookup' ? value : 'ProfileLookup')

/** Finds the event of a request. Chosen when the gateway starts. @param find by its name */
export function eventFinder<Found>(
  find: (name: string) => Found | undefined,
  value: OtherEvent,
): (name: string | undefined) => Found | undefined {
  if (value === 'refuse') return (name) => find(name ?? '')
  const other = find(nameIn(value))
  const taken = conditions[value]
  return (name) => find(name ?? '') ?? (taken.includes(eventGiven(name)) ? other : undefined)
}
