import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../../docs/observing.md', import.meta.url), 'utf8')

/** The rows of a table in docs/observing.md, cell by cell. */
export function documented(table: 'log' | 'metrics' | 'labels'): string[][] {
  const found = new RegExp(`<!-- ${table} -->\n.*\n.*\n([^]*?)<!-- /${table} -->`).exec(text)?.[1] ?? ''
  return found
    .trimEnd()
    .split('\n')
    .map((row) => row.slice(2, -2).split(' | '))
}

/** What is written as code in a cell. */
export function codeIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** The blocks of YAML. */
export const yamlBlocks = [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, block = '']) => block)
