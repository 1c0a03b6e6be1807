// What an old service says of an id → a row of an import file, or why it is none.

import { readRecord } from '../../data/import/record.ts'
import type { Relation } from '../../data/relation.ts'
import { type Fault, OldServiceError } from '../../stores/old-service/failure.ts'
import { shorten, visible } from '../../text.ts'
import type { Row } from './calls.ts'

/** An id that cannot be copied, as the file of rejects has it. */
export interface Faulty {
  readonly id: string
  /** Left out where the entry, or the whole call, is what is wrong. */
  readonly field?: string
  readonly problem: string
  /** What stood there, in JSON; left out where nothing did. */
  readonly value?: string
}

/** Characters of what stood there: in a message, and in the file of rejects. */
const MAX_SHOWN_LENGTH = 60
const MAX_KEPT_LENGTH = 1_000

/**
 * @returns a line of JSON, in which the fields of the model have the names of the columns; or what is wrong
 */
export function readOutcome(relation: Relation, id: string, outcome: Row | Error): string | Faulty {
  if (outcome instanceof OldServiceError && outcome.fault !== undefined) return faultOf(id, outcome.fault)
  if (outcome instanceof Error) return { id, problem: visible(outcome.message) }
  const values = new Map<string, unknown>(Object.entries(outcome))
  const texts = relation.columns.map(({ name }) => textOf(values.get(name)))
  const cells = readRecord(relation, texts)
  if (typeof cells !== 'string') return `${JSON.stringify(outcome)}\n`
  const column = relation.columns.find((one) => cells.startsWith(`${one.name} `))
  if (column === undefined) return { id, problem: visible(cells) }
  const value = values.get(column.name)
  const stood = cells.startsWith(`${column.name} must `) ? `, not ${json(value, MAX_SHOWN_LENGTH)}` : ''
  const problem = visible(cells) + stood
  return { id, field: column.name, problem, value: json(value, MAX_KEPT_LENGTH) }
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value)
}

function faultOf(id: string, fault: Fault): Faulty {
  const { field, problem } = fault
  const stood = 'value' in fault
  const shown = json(fault.value, MAX_SHOWN_LENGTH)
  const said = field === undefined ? `${problem}: ${shown}` : `${field} cannot be ${shown}: it ${problem}`
  return {
    id,
    ...(field !== undefined && { field }),
    problem: stood ? said : `${field ?? 'it'} ${problem}`,
    ...(stood && { value: json(fault.value, MAX_KEPT_LENGTH) }),
  }
}

function json(value: unknown, most: number): string {
  return visible(shorten(JSON.stringify(value) ?? 'nothing', most))
}
