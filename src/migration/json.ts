// A legacy JSON answer, read as its clients read it: the order of members, the spelling of numbers and escapes are nothing.

import { type Entries, type Field, type Said, UnreadableBody, type Value } from './meaning.ts'

/** A number as it is written: a double would take two long ones for the same. */
class Written {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** @returns `null` for a refusal. @throws UnreadableBody */
export function readJson(text: string): Pick<Entries, 'root' | 'entries'> | null {
  let answer: unknown
  try {
    answer = JSON.parse(text, keepNumbers)
  } catch {
    throw new UnreadableBody('no JSON')
  }
  // Nothing at all is an empty list in PHP.
  if (Array.isArray(answer) && answer.length === 0) return { root: '', entries: new Map() }
  if (!isObject(answer)) throw new UnreadableBody('JSON that is no object')
  const members = Object.entries(answer)
  if (isRefusal(members)) return null
  return { root: '', entries: new Map(members.map(([name, entry]) => [name, sayingOf(entry)])) }
}

function keepNumbers(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? new Written(context?.source ?? String(value)) : value
}

/** An error, and nothing beside it that would be an entry. A user may be called `error`: what is said of him is one. */
function isRefusal(members: readonly (readonly [string, unknown])[]): boolean {
  const isError = ([name, value]: readonly [string, unknown]) =>
    /^errors?$/i.test(name) && !isNothing(value) && !(isObject(value) && ('Id' in value || 'Title' in value))
  const others = members.filter((member) => !isError(member))
  return others.length < members.length && others.every(([, value]) => isScalar(value))
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

function isScalar(value: unknown): boolean {
  return value instanceof Written || typeof value === 'string' || typeof value === 'boolean'
}

function sayingOf(entry: unknown): Said {
  return isObject(entry)
    ? Object.entries(entry).map(([name, value]): Field => [name, plainValue(value)])
    : plainValue(entry)
}

function plainValue(value: unknown): Value {
  if (value === null) return { type: 'null', text: 'null' }
  if (value instanceof Written) return { type: 'number', text: canonical(value.source) }
  if (typeof value === 'string') return { type: 'string', text: value }
  if (typeof value === 'boolean') return { type: 'boolean', text: String(value) }
  return { type: Array.isArray(value) ? 'list' : 'object', text: sorted(value) }
}

/** The same text for the same value, whatever the order of its members. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  if (!isObject(value)) return value instanceof Written ? canonical(value.source) : JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sorted(member)}`).join()}}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Written)
}

/** One spelling for each number: 1, 1.0 and 10e-1 are 1; whole numbers stay as they are. */
export function canonical(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  if (power >= 0 && power < 100) return sign + significant + '0'.repeat(power)
  return `${sign}${significant}e${power}`
}
