import type { ShownEvent } from '../pages/explorer.ts'
import { copyButton } from './copy.ts'
import { element, rows } from './elements.ts'
import { count, fold } from './fold.ts'
import { formatJson } from './format-json.ts'
import { formatXml } from './format-xml.ts'
import type { Received } from './gateway.ts'
import { type Notes, notesOn } from './notes.ts'
import { linesOf, type Token } from './token.ts'

/** Longer answers are shown as they are: to lay them out would keep the page busy. */
const MAX_FORMATTED_LENGTH = 256 * 1024

/**
 * Its status may be 200 (LEGACY_ERROR_STATUS), and its body any (LEGACY_ERROR_BODY): but no cache may keep
 * it.
 */
function isRefusal(headers: Received['headers']): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'cache-control' && value === 'no-store')
}

/** Of the rest, the buttons of `fold` show more. */
const FIRST_LINES = 300
const FIRST_NOTES = 10

/** The response in one format. */
export function answerPanel(
  format: 'JSON' | 'XML',
  received: Received | null,
  event: ShownEvent | undefined,
): HTMLElement {
  if (received === null) return element('div', { class: 'panel' }, problem('The gateway does not respond.'))
  const { status, body, headers, took } = received
  const ok = status < 400 && !isRefusal(headers)
  const notes = notesOn(format, body, event?.fields ?? [])
  return element(
    'div',
    { class: 'panel' },
    element(
      'p',
      { class: ok ? 'status' : 'status bad' },
      element('strong', {}, `HTTP ${status}`),
      `${ok ? '' : ' error'} · ${count(bytesOf(body))} bytes · ${took.toFixed(1)} ms`,
    ),
    ...shownBody(format, body, notes),
    element(
      'details',
      {},
      element('summary', {}, `Headers (${headers.length})`),
      rows(
        headers.map(([name, value]) => [name, element('code', {}, value)]),
        'headers',
      ),
    ),
  )
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** Why a request was rejected, in the words of the service. */
export function problem(text: string): HTMLElement {
  return element('p', { class: 'bad' }, text)
}

function shownBody(format: 'JSON' | 'XML', body: string, notes: Notes): Node[] {
  const raw = element(
    'pre',
    { tabindex: '0', role: 'group', 'aria-label': `${format} response, raw bytes`, class: 'raw' },
    body,
  )
  if (body.length > MAX_FORMATTED_LENGTH) return [faint('Too long to format: these are the raw bytes.'), raw]
  let tokens: Token[]
  try {
    tokens = format === 'JSON' ? formatJson(body, notes) : formatXml(body, notes)
  } catch {
    // A proxy in between may answer whatever it likes.
    return [faint(`Not valid ${format}: these are the raw bytes.`), raw]
  }
  const laidOut = element('pre', { tabindex: '0', role: 'group', 'aria-label': `${format} response` })
  const more = fold(laidOut, {
    items: linesOf(tokens),
    noun: 'lines',
    first: FIRST_LINES,
    show: (line) => line.map(shownToken),
  })
  raw.hidden = true
  const toggle = element('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false' }, 'Raw bytes')
  toggle.addEventListener('click', () => {
    raw.hidden = !raw.hidden
    for (const shown of [laidOut, ...more]) shown.hidden = !raw.hidden
    toggle.setAttribute('aria-pressed', String(!raw.hidden))
  })
  const actions = element('p', { class: 'actions' }, ...more, toggle, copyButton('raw bytes', body, raw))
  const list = element('ol', { class: 'notes' })
  const moreNotes = fold(list, {
    items: notes.texts,
    noun: 'notes',
    first: FIRST_NOTES,
    show: (text) => element('li', {}, text),
  })
  return [laidOut, raw, actions, ...(notes.texts.length > 0 ? [list, ...moreNotes] : [])]
}

function shownToken({ text, kind, note }: Token): Node {
  const shown = kind === 'plain' ? document.createTextNode(text) : element('span', { class: kind }, text)
  return note === undefined ? shown : element('mark', {}, shown, element('sup', {}, String(note)))
}

function faint(text: string): HTMLElement {
  return element('p', { class: 'faint' }, text)
}
