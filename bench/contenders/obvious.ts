// The service as a good engineer writes it without a thought about speed, and without GraphQL.

import { createServer } from 'node:http'
import { host, port } from './place.ts'
import { findProfiles, type Profile } from './profiles.ts'

const refusal = '{"Error":{"Code":"BadRequest","Message":"This cannot be looked up."}}'

const server = createServer((request, response) => {
  const parameters = new URLSearchParams(request.url?.split('?')[1])
  const users = parameters.get('Event') === 'ProfileLookup' ? parameters.get('Users') : null
  const isByName = parameters.get('MethodOfAccessingUserInformation') === 'username'
  const isXml = parameters.get('Format') === 'XML'
  const profiles = users === null ? null : findProfiles(users, isByName)
  const body = profiles === null ? refusal : isXml ? toXml(users ?? '', profiles) : JSON.stringify(profiles)
  response.writeHead(profiles === null ? 400 : 200, {
    'Content-Type': `application/${isXml ? 'xml' : 'json'}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(port, host)

/** Keeps the order of the list: numeric members of an object have another one. */
function toXml(list: string, profiles: Readonly<Record<string, Profile>>): string {
  const entries = list.split(':').map((value) => {
    const profile = profiles[value]
    return profile === undefined ? '' : `<Data Value="${escapeXml(value)}">${fieldsOf(profile)}</Data>`
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

/** The document declares no encoding, so that it must be ASCII. */
function escapeXml(text: string): string {
  const reference = (one: string) => entities[one] ?? `&#x${one.codePointAt(0)?.toString(16).toUpperCase()};`
  return text.replace(/[&<>]|[^\x00-\x7f]/gu, reference)
}
