// The published contracts.

import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

const read = (name: string) => readFileSync(new URL(`../../../schema/${name}`, import.meta.url), 'utf8')

export const publishedXsd = read('legacy.xsd')
export const publishedOpenApi = read('legacy.openapi.json')

/** OpenAPI's own format for integers, which JSON Schema does not check. */
const ajv = new Ajv2020({ allErrors: true, formats: { int64: true }, allowUnionTypes: true })
const { schemas } = JSON.parse(publishedOpenApi).components
for (const name of ['ProfileLookup', 'AppLookup', 'Refusal']) ajv.addSchema(schemas[name], name)

/** What OpenAPI's schema finds wrong with a JSON value, each complaint with the place it is about. */
export function complaints(name: 'ProfileLookup' | 'AppLookup' | 'Refusal', value: unknown): string[] {
  ajv.validate(name, value)
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
