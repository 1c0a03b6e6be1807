// Names that are no settings, and the settings that were probably meant.

import { replacedSettings } from '../legacy/replaced-settings.ts'
import { nearest } from '../spelling.ts'
import { settingNames } from './settings.ts'
import type { SettingSources } from './sources.ts'

const names = [...settingNames]

/** Names shorter than this may have one misspelt letter only: HOME does not mean HOST. */
const SHORT_NAME = 8

/**
 * Refuses unknown names in `.env`, which no other program reads, and unknown `LEGACY_` names anywhere.
 * @returns a complaint for each
 */
export function refuseUnknownNames({ environment, envFile }: SettingSources): string[] {
  const legacy = Object.keys(environment ?? {}).filter((name) => name.startsWith('LEGACY_'))
  const unknown = [...legacy, ...Object.keys(envFile ?? {})].filter((name) => !settingNames.has(name))
  return [...new Set(unknown)].map((name) => {
    const source = legacy.includes(name) ? 'environment' : '.env'
    const key = Object.hasOwn(replacedSettings, name) ? replacedSettings[name] : undefined
    if (key !== undefined)
      return `The setting ${name} (${source}) is gone. Set ${key} in the file LEGACY_DIALECT; docs/dialect.md has the keys.`
    // `NAME: secret=1` in .env has the name `NAME: secret`.
    const shown = /^\w*$/.test(name) ? name : `${/^\w*/.exec(name)}…`
    const advice = suggestName(name) || ' Remove it: docs/settings.md lists all settings.'
    return `There is no setting ${shown} (${source}).${advice}`
  })
}

/**
 * A name in the environment that is almost a setting is only a warning: other programs share the environment.
 */
export function warnOfNearMisses({ environment }: SettingSources): string[] {
  return Object.keys(environment ?? {}).flatMap((name) => {
    const suggestion = settingNames.has(name) ? '' : suggestName(name)
    return suggestion === '' ? [] : [`The environment variable ${name} is not a setting.${suggestion}`]
  })
}

function suggestName(name: string): string {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return ''
  const words = wordsOf(name)
  // GRAPHQL_TOKENS means GRAPHQL_MAX_TOKENS: both begin alike, and one has all words of the other.
  const meant =
    nearest(name, names, SHORT_NAME) ??
    names.find((known) => {
      const others = wordsOf(known)
      return words.length > 1 && words[0] === others[0] && words.every((word) => others.includes(word))
    })
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

/** Without plurals. */
const wordsOf = (name: string) => name.split('_').map((word) => word.replace(/(?:Y|IES|S)$/, ''))
