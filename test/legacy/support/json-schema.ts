// As much of JSON Schema as schema/legacy.openapi.json uses. A keyword it does not know is an error, so that no
// rule can be passed over in silence.

export type Schema = Readonly<Record<string, unknown>>

const annotations = new Set(['description'])

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isSafeInteger(value),
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is wrong with a value, each complaint with the place it is about. */
export function complaints(value: unknown, schema: unknown, place = '$'): string[] {
  if (!isObject(schema)) throw new Error(`${place}: the schema is no object`)
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    if (annotations.has(keyword)) return []
    const check = keywords[keyword]
    if (check === undefined) throw new Error(`${place}: the keyword ${keyword} is not known here`)
    return check(value, rule, place, schema)
  })
}

type Check = (value: unknown, rule: unknown, place: string, schema: Schema) => string[]

const keywords: Readonly<Record<string, Check>> = {
  type: (value, rule, place) => {
    const allowed = [rule].flat().map((name) => {
      const isKind = kinds[String(name)]
      if (isKind === undefined) throw new Error(`${place}: the type ${name} is not known here`)
      return isKind
    })
    return allowed.some((isKind) => isKind(value)) ? [] : [`${place}: not ${rule}`]
  },
  enum: (value, rule, place) =>
    Array.isArray(rule) && rule.includes(value) ? [] : [`${place}: not one of ${rule}`],
  required: (value, rule, place) =>
    isObject(value) && Array.isArray(rule)
      ? rule.filter((name) => !Object.hasOwn(value, name)).map((name) => `${place}: no ${name}`)
      : [],
  properties: (value, rule, place) =>
    isObject(value) && isObject(rule)
      ? Object.entries(rule).flatMap(([name, schema]) =>
          Object.hasOwn(value, name) ? complaints(value[name], schema, `${place}.${name}`) : [],
        )
      : [],
  additionalProperties: (value, rule, place, { properties = {} }) =>
    isObject(value) && isObject(properties)
      ? Object.keys(value)
          .filter((name) => !Object.hasOwn(properties, name))
          .flatMap((name) => complaints(value[name], rule, `${place}.${name}`))
      : [],
}
