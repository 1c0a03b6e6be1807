import { someOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { fieldsIn, type Heard, type Probing } from './heard.ts'
import { questions } from './questions.ts'

const kinds = ['parameters', 'events', 'methods', 'formats'] as const

/** What is read in any case. */
export type AnyCase = readonly (typeof kinds)[number][]

/** Characters of a longer text, which is none of the names, so that its case need not be changed. */
const MAX_NAME_LENGTH = 64

/**
 * Finds what a name stands for. The exact one comes first: two names may differ in nothing but their case.
 * Chosen when the gateway starts, since each request asks it several times.
 */
export function finder<Found>(
  known: ReadonlyMap<string, Found>,
  inAnyCase: boolean,
): (name: string) => Found | undefined {
  if (!inAnyCase) return (name) => known.get(name)
  const folded = new Map([...known].toReversed().map(([name, found]) => [name.toLowerCase(), found]))
  return (name) =>
    known.get(name) ?? (name.length > MAX_NAME_LENGTH ? undefined : folded.get(name.toLowerCase()))
}

/** ASP reads names in any case; services in PHP change the case of names and values before they compare. */
export const anyCase = habit({
  setting: someOf(
    'LEGACY_ANY_CASE',
    kinds,
    'what is read in any case: the names of parameters, or their values',
  ),
  effect: (_, { respelt }) =>
    respelt.length === 0
      ? null
      : `${respelt.map(({ given, name }) => `${given} is read as ${name}`).join(', ')}.`,
  tell: async (probing) => {
    const told: string[] = []
    for (const kind of kinds) if (await isRead[kind](probing)) told.push(kind)
    return told.join(',') || 'none'
  },
})

const isRead: Readonly<Record<AnyCase[number], (probing: Probing) => Promise<boolean>>> = {
  parameters: async ({ ask, ids: [id = ''] }) =>
    finds(await ask(`event=ProfileLookup&methodofaccessinguserinformation=id&users=${id}`)),
  events: async ({ ask, ids: [id = ''], apps: [app] }) => {
    if (!finds(await ask(`Event=profilelookup&Users=${id}`))) return false
    // Where any other event means ProfileLookup, the case of AppLookup tells.
    if (!finds(await ask(questions.unknownEvent(id, app)))) return true
    if (app === undefined) return false
    return fieldsIn((await ask(`Event=applookup&Apps=${app}`))?.entries?.get(app)) !== null
  },
  // A service that takes what it does not know for an id finds no user of this name.
  methods: async ({ ask, username }) =>
    !/^\d*$/.test(username) && finds(await ask(questions.by('Username', [username]))),
  // Where any value but JSON means XML, the case of JSON tells.
  formats: async ({ ask, ids: [id = ''] }) => {
    const isXml = async (format: string) => {
      const heard = await ask(`${questions.byId([id])}&Format=${format}`)
      return heard?.entries == null ? null : heard.root !== ''
    }
    if ((await isXml('xml')) !== true) return false
    return (await isXml('YAML')) !== true || (await isXml('json')) === false
  },
}

/** Whether there is a user in an answer. */
function finds(heard: Heard | null): boolean {
  return [...(heard?.entries?.values() ?? [])].some((said) =>
    fieldsIn(said)?.some(([field, { text }]) => field === 'Id' && /^[1-9]/.test(text)),
  )
}
