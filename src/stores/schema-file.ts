import { readFileSync } from 'node:fs'

/** Reads the statements of `schema/<name>.sql` that make a table and its indexes. @returns them by the table's name */
export function readSchema(name: 'sqlite' | 'postgres'): (table: string) => readonly string[] {
  const statements = readFileSync(new URL(`../../schema/${name}.sql`, import.meta.url), 'utf8')
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
  return (table) => {
    const concerned = new RegExp(`\\b(?:EXISTS|ON) ${table}\\b`)
    return statements.filter((statement) => concerned.test(statement))
  }
}
