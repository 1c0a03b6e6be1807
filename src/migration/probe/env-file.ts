import { readEnvText } from '../../config.ts'
import { CommandError } from '../../terminal/command-error.ts'

/**
 * Puts settings into the text of an `.env` file: in the place of those with the same name, the rest at its
 * end.
 * @throws CommandError where that is not what would be read, as with values of several lines
 */
export function mergeEnv(before: string, values: Readonly<Record<string, string>>, file: string): string {
  const left = new Map(Object.entries(values))
  const lines = before.split('\n').flatMap((line) => {
    const name = /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? ''
    if (!Object.hasOwn(values, name)) return [line]
    const value = left.get(name)
    left.delete(name)
    // Of a name that comes twice, the last one counts: both become one.
    return value === undefined ? [] : [envLine(name, value)]
  })
  const kept = lines.join('\n')
  const end = kept === '' || kept.endsWith('\n') ? '' : '\n'
  const after = kept + end + [...left].map(([name, value]) => `${envLine(name, value)}\n`).join('')
  const expected = { ...readEnvText(before), ...values }
  const read = readEnvText(after)
  if (Object.keys({ ...expected, ...read }).every((name) => expected[name] === read[name])) return after
  throw new CommandError(`${file} was not changed: it has values of several lines. Add the settings by hand.`)
}

/**
 * A line that is read as this value: in quotation marks where it would otherwise be cut at a `#`, or
 * unquoted.
 */
export function envLine(name: string, value: string): string {
  const lines = ['', "'", '"', '`'].map((quote) => `${name}=${quote}${value}${quote}`)
  return lines.find((line) => readEnvText(line)[name] === value) ?? `${name}=${value}`
}
