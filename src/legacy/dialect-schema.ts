// The JSON Schema of the file LEGACY_DIALECT, which is published as schema/dialect.schema.json.

import { defaultDialect } from './dialect.ts'
import { replySchema } from './dialect-kinds.ts'
import { isSame, keys, namesBelow, type Path, placeAt, valueAt } from './dialect-places.ts'

/** The JSON Schema of the file, by which editors complete it. */
export function dialectSchema(): string {
  const root = objectAt([])
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The dialect of an old lookup service',
    ...root,
    properties: { $schema: { type: 'string' }, ...root.properties },
    $defs: { reply: replySchema },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function schemaAt(path: Path): object {
  const place = placeAt(path)
  // JSON.stringify leaves undefined out.
  return place === undefined
    ? objectAt(path)
    : { description: aboutOf(path), ...place.schema, default: valueAt(defaultDialect, path) }
}

const objectAt = (path: Path) => ({
  type: 'object',
  description: aboutOf(path),
  additionalProperties: false,
  properties: Object.fromEntries(namesBelow(path).map((name) => [name, schemaAt([...path, name])])),
})

const aboutOf = (path: Path) => keys.find((key) => isSame(key.path, path))?.about
