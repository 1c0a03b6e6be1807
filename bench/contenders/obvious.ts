// What a good engineer writes without thinking about speed, whatever the database is.

import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Profile {
  readonly Id: number
  readonly Username: string
  readonly DisplayName: string
  readonly Rank: number
  readonly JoinDate: number
  readonly IsConfirmed: boolean
  readonly Banned: boolean
}

export const columns = 'id, username, display_name, users.rank, join_date, is_confirmed, banned'

export function profileOf(row: Readonly<Record<string, unknown>>): Profile {
  return {
    Id: Number(row.id),
    Username: String(row.username),
    DisplayName: String(row.display_name),
    Rank: Number(row.rank),
    JoinDate: Number(row.join_date),
    IsConfirmed: row.is_confirmed === 1,
    Banned: row.banned === 1,
  }
}

export const isId = (text: string): boolean => /^\d{1,15}$/.test(text)

export interface Asked {
  /** `null` where it is no lookup. */
  readonly users: string | null
  readonly isXml: boolean
}

export function read(request: IncomingMessage): Asked {
  const parameters = new URLSearchParams(request.url?.split('?')[1])
  const users = parameters.get('Event') === 'ProfileLookup' ? parameters.get('Users') : null
  return { users, isXml: parameters.get('Format') === 'XML' }
}

type Profiles = Readonly<Record<string, Profile>>

/** @param profiles `null` where they cannot be looked up */
export function answer(response: ServerResponse, { users, isXml }: Asked, profiles: Profiles | null): void {
  const refusal = { Error: { Code: 'BadRequest', Message: 'This cannot be looked up.' } }
  const body = profiles !== null && isXml ? toXml(users ?? '', profiles) : JSON.stringify(profiles ?? refusal)
  response.writeHead(profiles === null ? 400 : 200, {
    'Content-Type': `application/${isXml ? 'xml' : 'json'}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** In the order of the list, which members of an object named by numbers are not in. */
function toXml(list: string, profiles: Profiles): string {
  const entries = list.split(':').map((id) => {
    const profile = profiles[id]
    return profile === undefined ? '' : `<Data Value="${id}">${fieldsOf(profile)}</Data>`
  })
  return `<?xml version="1.0"?>\n<ServiceAPI>${entries.join('')}</ServiceAPI>\n`
}

function fieldsOf(profile: Profile): string {
  const { IsConfirmed, Banned } = profile
  const texts = { ...profile, IsConfirmed: IsConfirmed ? '1' : '0', Banned: Banned ? '1' : '' }
  return Object.entries(texts)
    .map(([name, value]) => (value === '' ? `<${name}/>` : `<${name}>${escapeXml(String(value))}</${name}>`))
    .join('')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeXml = (text: string) => text.replace(/[&<>]/g, (character) => entities[character] ?? character)
