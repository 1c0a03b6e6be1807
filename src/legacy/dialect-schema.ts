// The JSON Schema of the file LEGACY_DIALECT, which is published as schema/dialect.schema.json.

import { defaultDialect } from './dialect.ts'
import { descriptions, textDescriptions } from './dialect-descriptions.ts'
import { type Place, places, replySchema, sharedPlaces, valueAt } from './dialect-places.ts'

/** The JSON Schema of the file, by which editors complete it. */
export function dialectSchema(): string {
  const root = branch()
  root.properties.$schema = { type: 'string' }
  for (const place of [...places, ...sharedPlaces]) add(root, place.path, place)
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The dialect of an old lookup service',
    ...root,
    $defs: { reply: replySchema },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

interface Branch {
  readonly type: 'object'
  readonly additionalProperties: false
  readonly properties: Record<string, Branch | object>
}

const branch = (description?: string): Branch => ({
  type: 'object',
  ...(description !== undefined && { description }),
  additionalProperties: false,
  properties: {},
})

const isBranch = (node: object): node is Branch => 'properties' in node

function add(parent: Branch, [name = '', ...rest]: readonly string[], place: Place): void {
  const depth = place.path.length - rest.length
  const description = descriptionOf(place.path.slice(0, depth))
  if (rest.length === 0) {
    const byDefault = valueAt(defaultDialect, place.path)
    parent.properties[name] = {
      ...(description !== undefined && { description }),
      ...place.schema,
      ...(byDefault !== undefined && { default: byDefault }),
    }
    return
  }
  const known = parent.properties[name]
  const next = known !== undefined && isBranch(known) ? known : branch(description)
  parent.properties[name] = next
  add(next, rest, place)
}

function descriptionOf(path: readonly string[]): string | undefined {
  const found = valueAt(descriptions, path)
  return typeof found === 'string' ? found : textDescriptions[path.join('.')]
}
