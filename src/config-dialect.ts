// The dialect in force, for people: which of its settings differ from their defaults, as they were written.

import { isDeepStrictEqual } from 'node:util'
import { findText, hideSecrets, type Sources } from './config-texts.ts'
import type { Setting } from './setting-kinds.ts'
import { rowsOf } from './setting-table.ts'
import { type SettingName, table } from './settings.ts'

export interface WrittenSetting {
  /** Its name, such as `LEGACY_UNKNOWN`. */
  readonly setting: string
  readonly value: string
  /** What it is for. */
  readonly purpose: string
}

/** A text that means the default is no difference, however it is written. */
export function changedDialect(sources: Sources): readonly WrittenSetting[] {
  return rowsOf<SettingName>(table.dialect).flatMap(
    ({ name, parse, fallback, purpose }: Setting<unknown, SettingName>) => {
      const text = findText(name, sources)?.text
      if (text === undefined || isDeepStrictEqual(parse(text), fallback)) return []
      return [{ setting: name, value: hideSecrets(name, text), purpose }]
    },
  )
}
