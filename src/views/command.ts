// `lookup views`: prints the views over the tables of a forum program, or makes them.

import type { Config } from '../config/config.ts'
import { withAccess } from '../stores/check/access.ts'
import { nameOf, ours, unusableDatabase } from '../stores/database-errors.ts'
import { UsageError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { makePlan, type ViewsPlan } from './make.ts'
import type { ProgramName } from './program.ts'
import { programs } from './programs.ts'

export interface ViewsFlags {
  readonly prefix?: string
  readonly chat?: string
  readonly apply?: boolean
}

const engines = { mysql: 'MySQL or MariaDB (mysql://…)', postgres: 'PostgreSQL (postgres://…)' } as const

export async function runViews(
  { stdout, stderr }: Terminal,
  config: Config,
  name: ProgramName,
  { prefix, chat, apply = false }: ViewsFlags,
): Promise<void> {
  const program = programs[name]
  const database = ours(config.database)
  if (database.kind !== program.engine)
    throw new UsageError(
      `${program.title} is in ${engines[program.engine]}. Name the database of the forum with --database.`,
    )
  const choice = { prefix: prefix ?? program.prefix ?? '', chat: chat ?? null }
  try {
    await withAccess(database, { patience: 0, readOnly: !apply }, async (access) => {
      const plan = await makePlan(access, program, choice)
      for (const statement of apply ? [...plan.indexes, ...plan.views] : []) {
        stderr.write(`${statement.split('\n')[0]?.slice(0, 100)} …\n`)
        await access.query(statement)
      }
      stdout.write(print(plan, `${program.title} in ${nameOf(database)}`, apply))
    })
  } catch (error) {
    throw unusableDatabase(database, error)
  }
}

function print(
  { home, indexes, views, reader, removal }: ViewsPlan,
  what: string,
  isApplied: boolean,
): string {
  const title = isApplied ? 'The views users and apps are made' : 'Views'
  const upgrade = 'Before you upgrade the forum, run this; then make the views again.'
  return [
    `-- ${title} over ${what}: in ${home}.\n`,
    ...(isApplied ? [] : [part('Indexes that the forum lacks.', indexes), part('The views.', views)]),
    part('A reader for DATABASE_URL. Choose a password.', reader),
    part(upgrade, removal).replace(/^(?=\w)/gm, '-- '),
  ].join('')
}

function part(title: string, statements: readonly string[]): string {
  if (statements.length === 0) return ''
  // The client of MySQL would end a function or a trigger at its first semicolon.
  const lines = statements.map((text) =>
    text.includes(';\n') ? `DELIMITER //\n${text}//\nDELIMITER ;\n` : `${text};\n`,
  )
  return `\n-- ${title}\n${lines.join('')}`
}
