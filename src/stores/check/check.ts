// `lookup check` finds faults in an operator's tables and views. The gateway logs them after its start, too.

import type { Config } from '../../config/config.ts'
import type { DatabaseLocation } from '../../config/database.ts'
import { relations } from '../../data/relations.ts'
import type { Observe } from '../../observe/events.ts'
import { showProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { counted, messageOf, visible } from '../../text.ts'
import { isMissing, missingDatabase, nameOf, ours, unusableDatabase } from '../database-errors.ts'
import { type DatabaseAccess, type DatabaseFault, withAccess } from './access.ts'
import { findRights } from './rights.ts'
import { findBadRows } from './rows.ts'
import { findScans, type KeyLookup, lookups } from './scans.ts'

/** A statement may take 5 s. */
const reading = { patience: 5_000, readOnly: true } as const

/** `lookup check`. @returns the exit status */
export async function runCheck(terminal: Terminal, config: Config): Promise<number> {
  const database = ours(config.database)
  if (isMissing(database)) throw missingDatabase(database)
  const progress = showProgress(terminal, 'Checking', 1)
  try {
    const findings = await withAccess(database, reading, (access) =>
      findAll(access, (share, note) => progress.update(share, note)),
    )
    progress.stop()
    terminal.stdout.write(print(nameOf(database), findings))
    return findings.length === 0 ? 0 : 1
  } catch (error) {
    throw unusableDatabase(database, error)
  } finally {
    progress.stop()
  }
}

/** Logs the faults of an operator's views. A database that does not respond is reported elsewhere. */
export async function checkInBackground(database: DatabaseLocation, observe: Observe): Promise<void> {
  if (database.kind === 'old-service') return
  const report = ({ what, example, mend }: DatabaseFault) =>
    observe({ type: 'database-finding', database: nameOf(database), reason: `${what}: ${example}`, mend })
  try {
    await withAccess(database, reading, async (access) => {
      if (await isView(access)) for (const finding of await findAll(access, () => {})) report(finding)
    })
  } catch {}
}

/** Tables that an import has filled have indexes, and rows that were checked. */
async function isView({ engine, query }: DatabaseAccess): Promise<boolean> {
  const schema = engine === 'mysql' ? 'database()' : 'current_schema()'
  const views =
    engine === 'sqlite'
      ? `SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = 'users'`
      : `SELECT 1 FROM information_schema.views WHERE table_schema = ${schema} AND table_name = 'users'`
  return (await query(views)).length > 0
}

async function findAll(
  access: DatabaseAccess,
  onProgress: (share: number, note: string) => void,
): Promise<readonly DatabaseFault[]> {
  const findings: DatabaseFault[] = []
  const fast: KeyLookup[] = []
  for (const lookup of lookups) {
    onProgress(0, lookup.name)
    const scans = await findScans(access, lookup).catch((error: unknown) => {
      if (!late.test(messageOf(error))) throw error
      return [failed(lookup.name, error)]
    })
    if (scans.length === 0) fast.push(lookup)
    findings.push(...scans)
  }
  for (const [index, relation] of Object.values(relations).entries()) {
    const { name } = relation
    const own = fast.filter((lookup) => lookup.relation === relation)
    const searches = own.filter(({ key }) => key !== 'id')
    // Without an index on the id, each of fifty ranges of ids would read the whole table.
    if (own.length === searches.length) continue
    const onShare = (share: number) => onProgress((index + share) / 2, `rows of ${name}`)
    const rows = findBadRows(access, relation, searches, onShare)
    findings.push(...(await rows.catch((error) => [failed(`ranges of ${name} by id`, error)])))
  }
  return [...findings, ...(await findRights(access))]
}

const late = /statement timeout|max_statement_time|maximum statement execution time/

const failed = (what: string, error: unknown): DatabaseFault => ({
  what: `Reading ${what} fails`,
  example: messageOf(error),
  mend: late.test(messageOf(error))
    ? 'Show the primary key as id, without a function around it. Give each join and each subquery of the view an index, and remove DISTINCT, GROUP BY and UNION from it.'
    : 'A row has a value that the view cannot convert: correct the row, or leave it out of the view. Then check again, since no further row was read.',
})

function print(database: string, findings: readonly DatabaseFault[]): string {
  if (findings.length === 0) return `Nothing found: ${database} is fit for lookups.\n`
  const lines = findings.flatMap(({ what, example, mend }) => [
    `${what}.`,
    `  example: ${example}`,
    `  mend:    ${mend}`,
    '',
  ])
  return `${lines.map(visible).join('\n')}\n${counted(findings.length, 'finding')} in ${database}.\n`
}
