// The two lookups of the specification. Reader, writers, contracts and explorer read these declarations.

import type { App } from '../data/apps.ts'
import type { User } from '../data/users.ts'
import type { Dialect, LookupSubject } from './dialect.ts'
import type { AppLookupQuery, ProfileLookupQuery } from './operations.generated.ts'

type EntryOf<Query extends { readonly entries: unknown }> = NonNullable<
  Query['entries'] extends readonly (infer E)[] | null ? E : never
>

/** A row as the stored operation returns it, by the names of the schema. */
export type SchemaRow = Readonly<Record<string, string | number | boolean>>

/** One for each value of a request; null if nothing matches. */
export type SchemaRows = readonly (SchemaRow | null)[]

export interface EventField {
  /** The name in the response. `Service` stands for the name of the service. */
  readonly name: string
  /** The name in the schema. */
  readonly source: string
  readonly kind: 'id' | 'number' | 'text' | 'confirmed' | 'banned'
  readonly description: string
}

interface EventParameter {
  readonly name: string
  readonly required: boolean
  readonly description: string
  readonly example: string
}

export interface LegacyEvent {
  readonly subject: LookupSubject
  /** The value of the parameter Event. */
  readonly name: string
  readonly description: string
  /** The last one is the list of values. */
  readonly parameters: readonly EventParameter[]
  /** In the order of the specification. */
  readonly fields: readonly EventField[]
}

export const METHOD = 'MethodOfAccessingUserInformation'

type EventFields<Query extends { readonly entries: unknown }, Stored> = Readonly<
  Record<keyof EntryOf<Query> & keyof Stored & string, Omit<EventField, 'source'>>
>

// The compiler refuses a field that the operation or the stored row does not have.
const userFields: EventFields<ProfileLookupQuery, User> = {
  id: { name: 'Id', kind: 'id', description: 'Numeric identifier of the user.' },
  username: { name: 'Username', kind: 'text', description: 'Account name of the user.' },
  displayName: { name: 'DisplayName', kind: 'text', description: 'Display name of the user.' },
  rank: { name: 'Rank', kind: 'number', description: 'Rank of the user.' },
  joinDate: {
    name: 'JoinDate',
    kind: 'number',
    description: "Time of joining, in the service's own unit and epoch.",
  },
  isConfirmed: { name: 'IsConfirmed', kind: 'confirmed', description: 'Whether the user is confirmed.' },
  banned: { name: 'Banned', kind: 'banned', description: 'Whether the user is banned.' },
}

// The operation has the id for front ends that copy it: their caches keep an app by its type and id.
const appFields: Omit<EventFields<AppLookupQuery, App>, 'id'> = {
  title: { name: 'Title', kind: 'text', description: 'Name of the application.' },
  version: { name: 'Version', kind: 'text', description: 'Version: <major>.<minor>.<patch>.' },
  category: { name: 'Category', kind: 'number', description: 'Category code.' },
  changelogLink: { name: 'ChangelogLink', kind: 'text', description: 'Absolute URL of the changelog.' },
  downloadLink: {
    name: 'ServiceDownloadLink',
    kind: 'text',
    description: "Absolute URL of the download page; ends in the application's identifier and a slash.",
  },
}

const fieldsOf = (declared: Readonly<Record<string, Omit<EventField, 'source'>>>): readonly EventField[] =>
  Object.entries(declared).map(([source, field]) => ({ source, ...field }))

const profileLookup: LegacyEvent = {
  subject: 'users',
  name: 'ProfileLookup',
  description: 'Basic public information about one or more users.',
  parameters: [
    {
      name: METHOD,
      required: false,
      description: 'How the entries of Users are read.',
      example: 'id',
    },
    {
      name: 'Users',
      required: true,
      description: 'Usernames, chat-platform identifiers or numeric identifiers, separated by colons.',
      example: '1:2',
    },
  ],
  fields: fieldsOf(userFields),
}

const appLookup: LegacyEvent = {
  subject: 'apps',
  name: 'AppLookup',
  description: 'Basic information about one or more published applications.',
  parameters: [
    {
      name: 'Apps',
      required: true,
      description: 'Numeric application identifiers, separated by colons.',
      example: '1:2',
    },
  ],
  fields: fieldsOf(appFields),
}

export const eventOf: Readonly<Record<LookupSubject, LegacyEvent>> = { users: profileLookup, apps: appLookup }
export const legacyEvents: readonly LegacyEvent[] = Object.values(eventOf)

const allFields = new Map(legacyEvents.flatMap(({ fields }) => fields).map((field) => [field.name, field]))

/** The field of a name in a dialect's list of fields. */
export function fieldNamed(name: string): EventField {
  const field = allFields.get(name)
  if (field === undefined) throw new Error(`no field ${name}`)
  return field
}

/** An event with the names that a dialect gives it, for forms and reports. */
export interface DialectEvent {
  readonly subject: LookupSubject
  readonly name: string
  readonly description: string
  readonly parameters: readonly (EventParameter & { readonly allowed?: readonly string[] })[]
  readonly fields: readonly Pick<EventField, 'name'>[]
}

export function shownEvents({ serviceName, chatMethod }: Dialect): readonly DialectEvent[] {
  return legacyEvents.map(({ parameters, fields, ...event }) => ({
    ...event,
    parameters: parameters.map((parameter) =>
      parameter.name === METHOD ? { ...parameter, allowed: ['id', 'username', chatMethod] } : parameter,
    ),
    fields: fields.map(({ name }) => ({ name: withServiceName(name, serviceName) })),
  }))
}

/** The name of a field in responses: `ServiceDownloadLink` is `AcmeDownloadLink`. */
export const withServiceName = (name: string, serviceName: string): string =>
  name.replace(/^Service/, serviceName)

/** The name of a field without the name of the service: `AcmeDownloadLink` is `DownloadLink`. */
export const plainName = (name: string): string => (/^[\w-]+DownloadLink$/.test(name) ? 'DownloadLink' : name)

/** The names of fields by event, without the name of the service. */
export const fieldNames: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  legacyEvents.map(({ name, fields }) => [name, fields.map((field) => plainName(field.name))]),
)
