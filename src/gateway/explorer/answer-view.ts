import type { ShownEvent } from '../pages/explorer.ts'
import { copyButton } from './copy.ts'
import { element, rows } from './elements.ts'
import { formatJson } from './format-json.ts'
import { formatXml } from './format-xml.ts'
import type { Received } from './gateway.ts'
import { type Notes, notesOn } from './notes.ts'
import type { Token } from './token.ts'

/** Longer answers are shown as they are: laying them out would keep the page from answering. */
const MAX_FORMATTED_LENGTH = 256 * 1024

/**
 * Its status may be 200 (LEGACY_ERROR_STATUS), and its body any (LEGACY_ERROR_BODY): but no cache may keep
 * it.
 */
function isRefusal(headers: Received['headers']): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'cache-control' && value === 'no-store')
}

/** What came back in one format. */
export function answerPanel(
  format: 'JSON' | 'XML',
  received: Received | null,
  event: ShownEvent | undefined,
): HTMLElement {
  if (received === null) return element('div', { class: 'panel' }, problem('The gateway does not answer.'))
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
      `${ok ? '' : ' error'} · ${bytesOf(body).toLocaleString('en')} bytes · ${took.toFixed(1)} ms`,
    ),
    ...shownBody(format, body, notes),
    element(
      'details',
      {},
      element('summary', {}, `Headers (${headers.length})`),
      rows(headers.map(([name, value]) => [name, element('code', {}, value)])),
    ),
  )
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** The refusal of a request, in the words of the service. */
export function problem(text: string): HTMLElement {
  return element('p', { class: 'bad' }, text)
}

function shownBody(format: 'JSON' | 'XML', body: string, notes: Notes): Node[] {
  const raw = element(
    'pre',
    { tabindex: '0', 'aria-label': `${format} answer, raw bytes`, class: 'raw' },
    body,
  )
  if (body.length > MAX_FORMATTED_LENGTH)
    return [faint('Too long to be laid out: these are the raw bytes.'), raw]
  let tokens: Token[]
  try {
    tokens = format === 'JSON' ? formatJson(body, notes) : formatXml(body, notes)
  } catch {
    // A proxy in between may answer whatever it likes.
    return [faint(`This is no ${format}: these are the raw bytes.`), raw]
  }
  const laidOut = element(
    'pre',
    { tabindex: '0', 'aria-label': `${format} answer` },
    ...tokens.map(shownToken),
  )
  raw.hidden = true
  const toggle = element('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false' }, 'Raw bytes')
  toggle.addEventListener('click', () => {
    raw.hidden = !raw.hidden
    laidOut.hidden = !raw.hidden
    toggle.setAttribute('aria-pressed', String(!raw.hidden))
  })
  const actions = element('p', { class: 'actions' }, toggle, copyButton('raw bytes', body, raw))
  const list = element('ol', { class: 'notes' }, ...notes.texts.map((text) => element('li', {}, text)))
  return [laidOut, raw, actions, ...(notes.texts.length > 0 ? [list] : [])]
}

function shownToken({ text, kind, note }: Token): Node {
  const shown = kind === 'plain' ? document.createTextNode(text) : element('span', { class: kind }, text)
  return note === undefined ? shown : element('mark', {}, shown, element('sup', {}, String(note)))
}

function faint(text: string): HTMLElement {
  return element('p', { class: 'faint' }, text)
}
