// Look-ups by texts, which may be many, long, or in characters that a column lacks.

import type { Ask, Engine, Row, TextLookup } from './driver.ts'

/**
 * UTF-16 units of the texts in a statement. MySQL closes the connection of one that is longer than its
 * `max_allowed_packet`, and all lookups that share it would fail: 3 bytes each, in hexadecimal, are below 1
 * MiB. The key of a username may be 18 times as long as the name.
 */
const MAX_STATEMENT_CHARACTERS = 128 * 1024

type FindTexts = (lookup: TextLookup, texts: readonly string[]) => Promise<readonly Row[]>

/** @returns asks for the rows of texts; the rows come in any order */
export function createTextSearch(
  ask: Ask,
  { errors, questions }: Pick<Engine, 'errors' | 'questions'>,
): FindTexts {
  /**
   * A database that is not in UTF-8 refuses texts that it cannot hold: they match nothing. Where it does not
   * say which these are, they are found by halves. What is too long for one statement is asked by halves,
   * too.
   */
  async function find(lookup: TextLookup, texts: readonly string[]): Promise<readonly Row[]> {
    if (texts.length > 1 && lengthOf(texts) > MAX_STATEMENT_CHARACTERS) return findHalves(lookup, texts)
    try {
      return await ask(questions[lookup](texts))
    } catch (error) {
      if (!errors.isUntranslatable(error)) throw error
      if (texts.length === 1) {
        // Every character set has these: it is the view that cannot compare them.
        if (ascii.test(texts.join())) throw error
        return []
      }
      const held = await keepHeld(lookup, texts)
      return held.length < texts.length ? find(lookup, held) : findHalves(lookup, texts)
    }
  }

  async function findHalves(lookup: TextLookup, texts: readonly string[]): Promise<readonly Row[]> {
    const middle = texts.length >> 1
    const first = await find(lookup, texts.slice(0, middle))
    return [...first, ...(await find(lookup, texts.slice(middle)))]
  }

  /**
   * By halves, a thousand names that a column lacks would cost two thousand statements.
   * @returns those of the texts that the column can hold; all of them where that is not known
   */
  async function keepHeld(lookup: TextLookup, texts: readonly string[]): Promise<readonly string[]> {
    const { charsets } = questions
    if (charsets === undefined) return texts
    const [row] = await ask(charsets.of(lookup))
    if (row === undefined) return []
    const [charset] = row
    if (typeof charset !== 'string' || !/^\w+$/.test(charset)) return texts
    const [[held] = []] = await ask(charsets.texts(texts, charset))
    if (typeof held !== 'string') return texts
    const spelt = held.split('\0')
    return texts.filter((text, index) => text === spelt[index])
  }

  return find
}

function lengthOf(texts: readonly string[]): number {
  let length = 0
  for (const text of texts) length += text.length
  return length
}

const ascii = /^[\x20-\x7e]*$/
