// What a probe found, as text: a table in comments, and settings, so that all of it is a valid `.env` file.

import { cut, table } from '../../terminal/table.ts'
import { capitalised } from '../../text.ts'
import type { Probed } from './probe.ts'

interface Printed extends Probed {
  readonly url: string
  /** What the gateway does as it is set, and with the settings advised; in the order of the behaviours. */
  readonly set: readonly string[]
  readonly advised: readonly string[]
}

interface Row {
  readonly name: string
  readonly about: 'meaning' | 'form'
  readonly old: string
  readonly set: string
  readonly advised: string
}

export function printProbe(printed: Printed): string {
  const { url, sent, slowest, findings, set, advised, advice } = printed
  const rows = printed.behaviours.map(({ name, about }, at): Row => {
    return { name, about, old: findings[at] ?? '', set: set[at] ?? '', advised: advised[at] ?? '' }
  })
  const lines = [
    `${url}, after ${sent} requests; the slowest answer took ${Math.round(slowest)} ms.`,
    ...codingLine(printed),
    '',
    ...tableOf(rows),
    '',
    ...chatLine(printed),
    ...storeLines(printed),
    ...leftOver(rows),
    headingOf(rows),
  ]
  const settings = Object.entries(advice).map(([name, value]) => `${name}=${value}\n`)
  return lines.map((line) => `# ${line}`.trimEnd().concat('\n')).join('') + settings.join('')
}

/** What is promised has to be kept: replay would show what differs. */
function headingOf(rows: readonly Row[]): string {
  const differs = rows.some(({ about, old, advised }) => about === 'meaning' && old !== advised)
  return differs
    ? 'These settings come closest; of what is listed above, the gateway answers otherwise:'
    : 'These settings make the gateway answer alike:'
}

function codingLine({ codings }: Printed): string[] {
  if (codings.length === 0) return []
  return [
    `It compresses answers (${codings.join(', ')}) though no request asked for that; the gateway does so on request only.`,
  ]
}

/** Characters of a column. */
const MAX_COLUMN_WIDTH = 48

function tableOf(rows: readonly Row[]): string[] {
  const cells = rows.map(({ name, old, set }) => {
    const same = old === set
    return [
      name,
      cut(old, MAX_COLUMN_WIDTH),
      same ? '' : cut(set, MAX_COLUMN_WIDTH),
      same ? 'same' : 'differs',
    ]
  })
  return table([['behaviour', 'old service', 'gateway as set', ''], ...cells])
}

function chatLine({ chat, known }: Printed): string[] {
  if (chat.method === null)
    return [
      `The method of the chat platform was not found among ${chat.tried.length} words. An access log shows it ("lookup census");`,
      'name it with --chat-methods.',
      '',
    ]
  if (known.chats.size > 0) return []
  return [
    `"${chat.method}" is taken for a method; name an identifier of that platform with --chats to be certain.`,
    '',
  ]
}

function storeLines({ asStore: { lookups, copying } }: Printed): string[] {
  const say = (use: string, fault: string | null) =>
    fault === null ? `${use}: yes.` : `${use}: no. ${capitalised(fault)}.`
  return [
    say('It works as the store (DATABASE_URL)', lookups),
    say('It can be copied ("lookup import")', copying),
    '',
  ]
}

function leftOver(rows: readonly Row[]): string[] {
  const left = rows.filter(({ old, advised }) => old !== advised)
  const listed = (about: Row['about']) =>
    left
      .filter((row) => row.about === about)
      .map(
        ({ name, old, advised }) =>
          `  ${name}: ${cut(old, MAX_COLUMN_WIDTH)} – the gateway: ${cut(advised, MAX_COLUMN_WIDTH)}`,
      )
  const meanings = listed('meaning')
  const forms = listed('form')
  return [
    ...(meanings.length === 0
      ? []
      : ['No setting can reproduce these; clients that rely on them would notice:', ...meanings, '']),
    ...(forms.length === 0
      ? []
      : [
          'Nor these, which are only a matter of form; a client that parses JSON and XML does not notice:',
          ...forms,
          '',
        ]),
    ...(left.length === 0 ? ['With these settings, nothing that was looked at differs.', ''] : []),
  ]
}
