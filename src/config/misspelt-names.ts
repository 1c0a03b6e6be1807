// Names that are no settings, and were perhaps meant to be.

import { replacedSettings } from '../legacy/replaced-settings.ts'
import { isWithin } from '../spelling.ts'
import { settings } from './settings.ts'
import type { Sources } from './texts.ts'

/** Characters up to which a name is compared with those of the settings. */
const MAX_COMPARED_LENGTH = 40
/** Edits that make a misspelt name, and the length below which only one does: HOME is no HOST. */
const MAX_EDITS = 2
const SHORT_LENGTH = 8

/** Names of `.env`, which nothing else reads, and `LEGACY_…` names anywhere. @returns a complaint for each */
export function refuseUnknownNames({ environment, envFile }: Sources): string[] {
  const ours = Object.keys(environment ?? {}).filter((name) => name.startsWith('LEGACY_'))
  const unknown = [...ours, ...Object.keys(envFile ?? {})].filter((name) => !isSetting(name))
  return [...new Set(unknown)].map((name) => {
    const source = ours.includes(name) ? 'environment' : '.env'
    const key = Object.hasOwn(replacedSettings, name) ? replacedSettings[name] : undefined
    if (key !== undefined)
      return `The setting ${name} (${source}) is gone. Set ${key} in the file LEGACY_DIALECT; docs/dialect.md has the keys.`
    const advice = suggestionFor(name) || ' Remove it: docs/settings.md lists all settings.'
    return `There is no setting ${shown(name)} (${source}).${advice}`
  })
}

/** A line of `.env` with a colon in the place of its "=" is a name up to the first "=" in its text. */
function shown(name: string): string {
  return /^\w*$/.test(name) ? name : `${/^\w*/.exec(name)}…`
}

/**
 * Names of the environment, which other programs share, that are like those of settings. @returns a warning
 * for each
 */
export function warnOfNearMisses({ environment }: Sources): string[] {
  return Object.keys(environment ?? {}).flatMap((name) => {
    const suggestion = isSetting(name) ? '' : suggestionFor(name)
    return suggestion === '' ? [] : [`The environment variable ${name} is not a setting.${suggestion}`]
  })
}

function isSetting(name: string): boolean {
  return Object.hasOwn(settings, name)
}

function suggestionFor(name: string): string {
  const meant = nearest(name)
  return meant === null ? '' : ` Did you mean ${meant}?`
}

interface Spelling {
  readonly name: string
  readonly words: readonly string[]
  /** The same but for plurals and underscores. */
  readonly plain: string
}

function spell(name: string): Spelling {
  const words = name.split('_').map((word) => word.replace(/(?:Y|IES|S)$/, ''))
  return { name, words, plain: words.join('') }
}

const known = Object.keys(settings).map(spell)

/** The setting with the same words but for plurals and underscores, with a letter or two changed, or with these words and others. */
function nearest(name: string): string | null {
  if (name.length > MAX_COMPARED_LENGTH) return null
  const { words, plain } = spell(name)
  const most = name.length < SHORT_LENGTH ? 1 : MAX_EDITS
  const meant =
    known.find((setting) => setting.plain === plain) ??
    known.find((setting) => isWithin(most, setting.name, name)) ??
    known.find((setting) => isPartOf(words, setting.words))
  return meant?.name ?? null
}

/** Whether they begin alike, and all of the words are in the other name. */
function isPartOf(words: readonly string[], others: readonly string[]): boolean {
  return words.length > 1 && words[0] === others[0] && words.every((word) => others.includes(word))
}
