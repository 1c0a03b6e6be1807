// The kinds of values in the file LEGACY_DIALECT: each as a check, as JSON Schema, and in words.

import { isObject } from '../json.ts'

export interface ChoiceKind {
  /** For people, such as `"exact" or "any case"`. */
  readonly allowed: string
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly isAllowed: (value: unknown) => boolean
}

const kind = (
  allowed: string,
  schema: ChoiceKind['schema'],
  isAllowed: ChoiceKind['isAllowed'],
): ChoiceKind => ({
  allowed,
  schema,
  isAllowed,
})

export const text = kind('a text', { type: 'string' }, (value) => typeof value === 'string')

export const textMatching = (pattern: RegExp, allowed: string) =>
  kind(
    allowed,
    { type: 'string', pattern: pattern.source },
    (value) => typeof value === 'string' && pattern.test(value),
  )

export const oneOf = (values: readonly unknown[]) =>
  kind(values.map((value) => JSON.stringify(value)).join(', '), { enum: values }, (value) =>
    values.includes(value),
  )

export const orNull = ({ allowed, schema, isAllowed }: ChoiceKind) =>
  kind(
    `${allowed}, or null`,
    { anyOf: [schema, { type: 'null' }] },
    (value) => value === null || isAllowed(value),
  )

export const fieldList = (names: readonly string[]) =>
  kind(
    `a list of ${names.join(', ')}, each at most once`,
    { type: 'array', items: { enum: names }, uniqueItems: true, minItems: 1 },
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      new Set(value).size === value.length &&
      value.every((name) => names.includes(name)),
  )

/** A media type. Its characters are those of a header. */
export const mediaType = textMatching(
  /^[\x20-\x7e]{0,200}$/,
  'a Content-Type of at most 200 ASCII characters',
)

export const status = kind(
  '200, or a status from 400 to 599',
  { anyOf: [{ const: 200 }, { type: 'integer', minimum: 400, maximum: 599 }] },
  (value) => value === 200 || (Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599),
)

/** JSON Schema of a recorded response, which `#/$defs/reply` refers to. */
export const responseSchema = {
  type: 'object',
  required: ['status', 'type', 'body'],
  additionalProperties: false,
  properties: { status: status.schema, type: mediaType.schema, body: text.schema },
}

export const recordedResponse = kind(
  `an object of status (${status.allowed}), type (${mediaType.allowed}) and body (${text.allowed})`,
  { $ref: '#/$defs/reply' },
  (value) =>
    isObject(value) &&
    Object.keys(value).length === 3 &&
    status.isAllowed(value.status) &&
    mediaType.isAllowed(value.type) &&
    text.isAllowed(value.body),
)
