// How a gateway reads identifiers, trims values and writes numbers, against what PHP makes of the same texts.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { sample, temporaryFolder } from '../../kit/gateway.ts'
import { test } from '../../kit/test.ts'
import { ask } from './ask.ts'
import { CHAT, ID } from './rows.ts'

/** The results of PHP for a text. */
export interface NumberRow {
  readonly text: string
  /** The cast to int. */
  readonly int: string
  readonly isNumeric: boolean
  readonly trimmed: string
  /** The output of json_encode with JSON_NUMERIC_CHECK. */
  readonly json: string
}

export const numberFile = new URL('../numbers.jsonl', import.meta.url).pathname
export const numberRows: readonly NumberRow[] = readFileSync(numberFile, 'utf8')
  .trimEnd()
  .split('\n')
  // A long run of one character is written as {1*400}.
  .map((line) => JSON.parse(line.replace(/\{(.)\*(\d+)\}/g, (_, one, count) => one.repeat(count))))

/** The name of the only entry. */
const nameIn = (body: string) => Object.keys(JSON.parse(body))[0]
const shown = { 'missing.json': 'null', 'read.malformed': 'unknown' }

export function numberSuite(rows: () => readonly NumberRow[]): void {
  test('identifiers are cast to int', async ({ withSettings }) => {
    const { url } = await withSettings({ ...shown, 'read.ids': 'cast', 'entries.ids': 'read' })
    for (const { text, int } of rows()) {
      const { body } = await ask(url, `/?${ID}${encodeURIComponent(text)}`)
      expect.soft(nameIn(body), text.slice(0, 200)).toBe(int)
    }
  })

  test('identifiers are those of is_numeric', async ({ withSettings }) => {
    const { url } = await withSettings({ 'read.ids': 'numeric' })
    for (const { text, isNumeric } of rows()) {
      const { status } = await ask(url, `/?${ID}${encodeURIComponent(text)}`)
      expect.soft(status, text.slice(0, 200)).toBe(isNumeric ? 200 : 400)
    }
  })

  test('values are trimmed', async ({ withSettings }) => {
    const { url } = await withSettings({ ...shown, 'read.trim': true })
    for (const { text, trimmed } of rows()) {
      const { status, body } = await ask(url, `/?${CHAT}${encodeURIComponent(text)}`)
      if (trimmed === '') expect.soft(status).toBe(400)
      else expect.soft(nameIn(body), text.slice(0, 200)).toBe(trimmed)
    }
  })

  test('texts are written as JSON_NUMERIC_CHECK writes them', async ({ withSettings }) => {
    const { path, remove } = temporaryFolder()
    onTestFinished(remove)
    const users = join(path, 'users.jsonl')
    const short = rows().filter(({ text }) => text.length < 4_000)
    const lines = short.map(({ text: displayName }, at) => {
      const user = { id: at + 1, username: `user ${at}`, chatId: null, displayName, rank: 1, joinDate: 1 }
      return `${JSON.stringify({ ...user, isConfirmed: true, banned: false })}\n`
    })
    writeFileSync(users, lines.join(''))
    const { url } = await withSettings({ 'json.numericTexts': 'number' }, { ...sample, users })
    for (const [at, { text, json }] of short.entries()) {
      const { body } = await ask(url, `/?${ID}${at + 1}`)
      expect.soft(/"DisplayName":(.*),"Rank"/.exec(body)?.[1], text.slice(0, 200)).toBe(json)
    }
  })
}
