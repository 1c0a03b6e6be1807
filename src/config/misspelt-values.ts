// Texts that a setting does not allow, and what they were perhaps meant to be.

import { nearest } from '../spelling.ts'
import type { Setting } from './kinds.ts'

/** Characters of a text that is looked at: a list of words is no longer. */
const MAX_TEXT_LENGTH = 200

/** What other programs say for our words. */
const synonyms: Readonly<Record<string, string>> = {
  ...{ true: 'on', yes: 'on', enable: 'on', enabled: 'on', '1': 'on' },
  ...{ warning: 'warn', trace: 'debug', fatal: 'error' },
  ...{ false: 'off', no: 'off', disable: 'off', disabled: 'off', '0': 'off' },
}

/**
 * @param text one that is not allowed. What is said shows nothing of it but words that are allowed
 * @returns a sentence with the text that was probably meant, after a space; empty for none
 */
export function suggestionFor({ allowed, parse }: Pick<Setting, 'allowed' | 'parse'>, text: string): string {
  if (text.length > MAX_TEXT_LENGTH) return ''
  const words = wordsIn(allowed)
  const meant = text.split(',').map((word) => meantBy(word.trim(), words))
  const whole = meant.join(',')
  return meant.includes(null) || parse(whole) === undefined ? '' : ` Did you mean ${whole}?`
}

function meantBy(word: string, words: readonly string[]): string | null {
  if (words.includes(word)) return word
  const other = Object.hasOwn(synonyms, word.toLowerCase()) ? synonyms[word.toLowerCase()] : undefined
  if (other !== undefined && words.includes(other)) return other
  const [longer, ...more] = words.filter((each) => word.length > 1 && each.startsWith(word.toLowerCase()))
  return longer !== undefined && more.length === 0 ? longer : nearest(word, words)
}

/** Those that a description of what is allowed lists, as in `none, or of one, two, comma-separated`. */
function wordsIn(allowed: string): readonly string[] {
  return (
    allowed
      .split(/[,;] /)
      .map((part) => part.replace(/^(?:or )?(?:one )?(?:of )?/, ''))
      // Capitals stand for what the operator has to put there.
      .filter((part) => /^[^\s/]+$/.test(part) && !/[A-Z]{3}/.test(part) && part !== 'comma-separated')
  )
}
