// Who still asks for which field of GraphQL, by what gateways have counted (`/metrics`).

import { CommandError } from '../../terminal/command-error.ts'
import { readLogLines } from '../access-log/read.ts'

/** A field, and a client that asks for it. */
export interface FieldUsageRow {
  /** `User.rank`, say. */
  readonly field: string
  /** As it names itself. */
  readonly client: string
  readonly operations: number
  /** From 0 to 1, of all operations. */
  readonly share: number
}

export interface FieldUsage {
  readonly metrics: readonly string[]
  readonly made: string
  /** Whether the files were read to their end. */
  readonly complete: boolean
  readonly operations: number
  /** By field, the clients that ask for it most first. */
  readonly rows: readonly FieldUsageRow[]
}

const OPERATIONS = 'lookup_graphql_operations_total'
const FIELDS = 'lookup_graphql_fields_total'

// A label's value may have any character, in quotes. Each expression takes time linear in the line's length.
const quoted = String.raw`"(?:[^"\\]|\\.)*"`
const number = String.raw`\d+(?:\.\d+)?(?:e\+?\d+)?`
const sample = new RegExp(
  String.raw`^(${OPERATIONS}|${FIELDS})\{((?:[^"}]|${quoted})*)\} (${number})(?:\s|$)`,
)
const label = new RegExp(String.raw`(\w+)=(${quoted})(?:,|$)`, 'gy')

/**
 * Adds up the texts of `/metrics` of several gateways.
 * @param files paths, or `-` for standard input
 * @throws CommandError
 */
export async function readFieldUsage(files: readonly string[], signal: AbortSignal): Promise<FieldUsage> {
  const counts = new Map<string, Map<string, number>>()
  let operations = 0
  for await (const lines of readLogLines(files, () => {}, signal)) {
    for (const line of lines) {
      const [, metric, labels = '', value] = sample.exec(line) ?? []
      if (metric === OPERATIONS) operations += Number(value)
      if (metric !== FIELDS) continue
      const named = new Map(
        [...labels.matchAll(label)].map(([, name, text = '']) => [name, text.slice(1, -1)]),
      )
      const field = named.get('field')
      const client = named.get('client')
      if (field === undefined || client === undefined) continue
      const clients = counts.get(field) ?? new Map<string, number>()
      counts.set(field, clients)
      clients.set(client, (clients.get(client) ?? 0) + Number(value))
    }
  }
  if (operations === 0 && !signal.aborted)
    throw new CommandError(
      `No GraphQL operations found in ${files.join(', ')}. Give files with the output of /metrics, from the admin port of each gateway.`,
    )
  const rows = [...counts].flatMap(([field, clients]) =>
    [...clients].map(([client, uses]) => ({ field, client, operations: uses, share: uses / operations })),
  )
  return {
    metrics: files,
    made: new Date().toISOString(),
    complete: !signal.aborted,
    operations,
    rows: rows.toSorted((a, b) => a.field.localeCompare(b.field) || b.operations - a.operations),
  }
}
