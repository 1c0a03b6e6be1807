// Settings whose text may stand in a file instead, and what is read from such files.

import { readSecret } from './files.ts'
import type { Setting } from './kinds.ts'
import { type SettingName, settings } from './settings.ts'
import { findText, hideSecrets, type Sources } from './texts.ts'

export interface Reading {
  readonly sources: Sources
  /** Takes what is wrong. */
  readonly problems: string[]
  readonly read: <Value>(row: Setting<Value, SettingName>) => Value
}

type FileSetting = Extract<SettingName, `${string}_FILE`>

/** What was read of a row. */
interface Read<Value, Name extends string> {
  readonly row: Setting<Value, Name>
  readonly value: Value
}

/** A setting whose text may stand in a file instead. */
export function readText<Value, Name extends SettingName>(
  { row, value }: Read<Value, Name>,
  { row: { name: fileSetting }, value: file }: Read<string | null, `${Name}_FILE` & SettingName>,
  reading: Reading,
) {
  const { sources, problems } = reading
  const { name, fallback, allowed, parse, explain } = row
  const own = findText(name, sources)
  if (file === null || own?.source === 'flag') return { value, file: null }
  if (own !== null) {
    problems.push(
      `${name} (${own.source}) and ${sourceOf(fileSetting, sources)} are both set. Remove one of them.`,
    )
    return { value, file: null }
  }
  const text = readFile(fileSetting, file, reading)
  const parsed = text === null ? fallback : parse(text)
  // The text is not shown: it may be any secret, of another setting say.
  if (text !== null && parsed === undefined)
    problems.push(
      `The text in ${hideSecrets(fileSetting, file)}, of ${sourceOf(fileSetting, sources)}, cannot be that of ${name}${because(explain, text)}. Allowed: ${allowed}.`,
    )
  return { value: parsed ?? fallback, file }
}

/** What a complaint adds to a text that is not allowed. */
export function because(explain: Setting['explain'], text: string): string {
  return explain === undefined ? '' : `: ${explain(text)}`
}

/** What stands in the file of such a setting, where it may be shown once its secrets are hidden. */
export function findInFile(name: SettingName, sources: Sources): { text: string; source: string } | null {
  const source = `${name}_FILE`
  if (!isFileSetting(source)) return null
  const file = findText(source, sources)?.text ?? null
  try {
    const text = file === null ? null : readSecret(file)
    return text === null || settings[name].parse(text) === undefined ? null : { text, source }
  } catch {
    return null
  }
}

function isFileSetting(name: string): name is FileSetting {
  return Object.hasOwn(settings, name)
}

export function readFile(name: FileSetting, file: string, { sources, problems }: Reading): string | null {
  // It may be the secret itself, given to the wrong setting.
  const shown = hideSecrets(name, file)
  try {
    return readSecret(file)
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replaceAll(file, shown)
    problems.push(
      `The file ${shown}, of ${sourceOf(name, sources)}, cannot be read: ${reason}. Check the path, the rights and the text.`,
    )
    return null
  }
}

export function sourceOf(name: FileSetting, sources: Sources): string {
  return `${name} (${findText(name, sources)?.source})`
}
