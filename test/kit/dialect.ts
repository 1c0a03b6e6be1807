// Settings of a gateway in a test, with the dialect written out by paths.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Settings by their names, such as `PORT`. Any other key is a path of the dialect, such as `read.ids`. */
export type Given = Readonly<Record<string, unknown>>

const isSetting = (name: string) => /^[A-Z]/.test(name)

/** The files by their content: all in one folder. */
const files = new Map<string, string>()

function makeFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'lookup-dialects-'))
  const remove = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  // Vitest ends its workers by this signal, without "exit".
  process.once('SIGTERM', () => {
    remove()
    process.kill(process.pid, 'SIGTERM')
  })
  return path
}

/** The settings of a gateway, with the dialect in a file. */
export function settingsOf(given: Given): Readonly<Record<string, string>> {
  const settings: Record<string, string> = {}
  let dialect: object | null = null
  for (const [name, value] of Object.entries(given))
    if (isSetting(name)) settings[name] = String(value)
    else dialect = withPath(dialect ?? {}, name.split('.'), value)
  return dialect === null ? settings : { ...settings, LEGACY_DIALECT: fileWith(dialect) }
}

/** The path of a file with a dialect. */
export function fileWith(dialect: object): string {
  const content = JSON.stringify(dialect)
  const known = files.get(content)
  if (known !== undefined) return known
  const [first] = files.values()
  const path = join(first === undefined ? makeFolder() : dirname(first), `${files.size}.json`)
  writeFileSync(path, content)
  files.set(content, path)
  return path
}

function withPath(node: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  if (rest.length === 0) return { ...node, [name]: value }
  const inner: unknown = Object.entries(node).find(([key]) => key === name)?.[1]
  return { ...node, [name]: withPath(typeof inner === 'object' && inner !== null ? inner : {}, rest, value) }
}
