// Names that are no settings, and were perhaps meant to be.

import type { Sources } from './config-texts.ts'
import { type SettingName, settings } from './settings.ts'

/** Characters up to which a name is compared with those of the settings. */
const MAX_COMPARED_LENGTH = 40
/** Edits that make a misspelt name, and the length below which only one does: HOME is no HOST. */
const MAX_EDITS = 2
const SHORT_LENGTH = 8

/** Names of `.env`, which nothing else reads, and `LEGACY_…` names anywhere. @returns a complaint for each */
export function refuseUnknownNames({ environment, envFile }: Sources): string[] {
  const ours = Object.keys(environment ?? {}).filter((name) => name.startsWith('LEGACY_'))
  const unknown = [...ours, ...Object.keys(envFile ?? {})].filter((name) => !isSetting(name))
  return [...new Set(unknown)].map((name) => `There is no setting ${name}.${suggestionFor(name)}`)
}

/**
 * Names of the environment, which other programs share, that are like those of settings. @returns a warning
 * for each
 */
export function warnOfNearMisses({ environment }: Sources): string[] {
  return Object.keys(environment ?? {})
    .filter((name) => !isSetting(name) && nearest(name) !== null)
    .map((name) => `The environment variable ${name} is not a setting.${suggestionFor(name)}`)
}

function isSetting(name: string): boolean {
  return Object.hasOwn(settings, name)
}

function suggestionFor(name: string): string {
  const meant = nearest(name)
  return meant === null ? '' : ` Did you mean ${meant}?`
}

const names = Object.keys(settings) as SettingName[]

/**
 * The setting with the same words but for plurals and underscores, with these and others, or with a letter or
 * two changed.
 */
function nearest(name: string): SettingName | null {
  if (name.length > MAX_COMPARED_LENGTH) return null
  const same = names.find((known) => wordsOf(known).join('') === wordsOf(name).join(''))
  const most = name.length < SHORT_LENGTH ? 1 : MAX_EDITS
  const misspelt = () => names.find((known) => editsBetween(known, name) <= most)
  return same ?? misspelt() ?? names.find((known) => isPartOf(wordsOf(name), wordsOf(known))) ?? null
}

function wordsOf(name: string): string[] {
  return name.split('_').map((word) => word.replace(/(?:Y|IES|S)$/, ''))
}

/** Whether they begin alike, and all of the words are in the other name. */
function isPartOf(words: readonly string[], known: readonly string[]): boolean {
  return words.length > 1 && words[0] === known[0] && words.every((word) => known.includes(word))
}

/** The Levenshtein distance, or more than `MAX_EDITS` where the lengths tell so much. */
function editsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_EDITS) return MAX_EDITS + 1
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
