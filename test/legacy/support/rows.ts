// Tables of lookups over the sample data: settings, a query string, and the response to it in both formats.

import { expect } from 'vitest'
import type { Given } from '../../kit/dialect.ts'
import { sample } from '../../kit/gateway.ts'
import { type Fields, toJson, toXml } from '../../kit/php-text.ts'
import { test } from '../../kit/test.ts'
import { ask, contentTypes, type FormatName, inFormat, type Reply } from './ask.ts'
import { xmlText } from './facts.ts'
import { readLines } from './lines.ts'
import { refusalIn } from './reply.ts'

export type Settings = Given

/**
 * The entries of the response by name and id, such as `Ada → 1, x → null`, or a status and an error code,
 * such as `400 UnknownEvent`. A pair, if XML has other entries.
 */
export type Expected = string | readonly [json: string, xml: string]

export type Row = readonly [settings: Settings, query: string, expected: Expected]

/** Runs the rows with equal settings over one gateway. */
export function testRows(rows: readonly Row[]): void {
  const groups = Map.groupBy(rows, ([settings]) => JSON.stringify(settings))
  test.for([...groups.values()].map((group) => [group[0]?.[0] ?? {}, group] as const))(
    '%j',
    async ([settings, group], { withSettings }) => {
      const { url } = await withSettings(settings)
      for (const [, query, expected] of group) {
        const [json, xml] = typeof expected === 'string' ? [expected, expected] : expected
        expectReply(await ask(url, inFormat(query, 'JSON')), 'JSON', query, json)
        expectReply(await ask(url, inFormat(query, 'XML')), 'XML', query, xml)
      }
    },
  )
}

function expectReply(reply: Reply, format: FormatName, query: string, expected: string): void {
  const about = `${query.slice(0, 300)} in ${format}`
  expect.soft(reply.headers['content-type'], about).toBe(contentTypes[format])
  const [, status, code] = /^(\d{3}) (\w+)$/.exec(expected) ?? []
  if (status === undefined)
    expect.soft([reply.status, reply.body], about).toEqual([200, bodyOf(query, expected, format)])
  else expect.soft([reply.status, refusalIn(reply, format).code], about).toEqual([Number(status), code])
}

/** The bytes of a response with these entries, in the default dialect. */
export function bodyOf(query: string, entries: string, format: FormatName): string {
  const rows = /(?:^|&)Event=AppLookup/.test(query) ? apps : users
  const parts = entries
    .split(', ')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [name = '', id = ''] = entry.split(' → ')
      return new Map([[name, rows.get(id) ?? null]])
    })
  if (format === 'JSON') return `{${parts.map((part) => toJson(part, jsonStyle)?.slice(1, -1)).join()}}`
  const head = '<?xml version="1.0"?>\n'
  const [start, end] = ['<ServiceAPI>', '</ServiceAPI>\n']
  const elements = parts.map((part) => toXml(part, xmlStyle).slice(head.length + start.length, -end.length))
  return head + (parts.length === 0 ? '<ServiceAPI/>\n' : start + elements.join('') + end)
}

const jsonStyle = { unknown: 'null', nothing: 'usual', pretty: false, numericCheck: false } as const
const xmlStyle = { pretty: false, serviceName: 'Service', xmlDeclaration: true }

/** The bytes of an error in the default dialect. */
export function errorBodyOf(code: string, message: string, format: FormatName): string {
  const fields = (text: string) => new Map([['', [['Code', code] as const, ['Message', text] as const]]])
  if (format === 'JSON') return toJson(fields(message), jsonStyle)?.replace('""', '"Error"') ?? ''
  const xml = toXml(fields(xmlText(message)), xmlStyle)
  return xml.replace('<Data Value="">', '<Error>').replace('</Data>', '</Error>')
}

const users = rowsOf(sample.users, ({ chatId: _, ...shown }) => shown)
const apps = rowsOf(sample.apps, ({ id: _, downloadLink = '', ...shown }) => ({
  ...shown,
  serviceDownloadLink: downloadLink,
}))

type JsonRow = Readonly<Record<string, string | number | boolean>>

function rowsOf(file: string, shownOf: (row: JsonRow) => JsonRow): ReadonlyMap<string, Fields> {
  return new Map(
    readLines<JsonRow>(file).map((row) => {
      const fields = Object.entries(shownOf(row))
      return [
        String(row.id),
        fields.map(([name, value]) => [name.replace(/^./, (letter) => letter.toUpperCase()), value] as const),
      ]
    }),
  )
}

/** An entry for each value that matches nothing. */
export const shown = { 'missing.json': 'null', 'missing.xml': '<Data Value="{value}"/>' }

export const ID = 'Event=ProfileLookup&Users='
const METHOD = 'Event=ProfileLookup&MethodOfAccessingUserInformation'
export const NAME = `${METHOD}=username&Users=`
export const CHAT = `${METHOD}=chat&Users=`
export const APP = 'Event=AppLookup&Apps='
