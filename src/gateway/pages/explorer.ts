// The page at `/` on which a person tries the legacy interface, built from the events' own declarations. All
// of it is in one answer; what runs in it is made of src/gateway/explorer.

import { readFileSync } from 'node:fs'
import { ownFile } from '../../own-file.ts'
import { stylesheet } from '../../pages/page.ts'
import { type Answer, etagOf } from '../answer.ts'
import { pageHeaders } from './headers.ts'

/** What the page shows of an event; the declarations under legacy/events have it all. */
export interface ShownEvent {
  readonly name: string
  /** What its examples are taken from. */
  readonly subject?: 'users' | 'apps'
  readonly description: string
  readonly parameters: readonly {
    readonly name: string
    readonly description: string
    readonly allowed?: readonly string[]
    readonly list?: true
    readonly example: string
  }[]
  readonly fields: readonly {
    readonly name: string
    readonly type: string
    readonly description: string
    readonly inXml?: string
  }[]
}

/** An address that the page links to, and its name. */
export type Link = readonly [href: string, name: string, id?: string]

interface Situation {
  /** Where lookups are answered, relative to the page. */
  readonly path: string
  /** Whether only trusted documents run, so that the operations that it shows do not. */
  readonly onlyDocuments: boolean
}

const onlyDocumentsNote =
  '<p class="bad">This gateway runs only the documents of its manifest (GRAPHQL_ONLY_DOCUMENTS). Add this query to the manifest before you use the code.</p>'

/** The page, made when it is first asked for. */
export function explorerPage(
  events: readonly ShownEvent[],
  links: readonly Link[],
  situation: Situation,
): () => Answer {
  let page: Answer | null = null
  return () => (page ??= render(events, links, situation))
}

function render(
  events: readonly ShownEvent[],
  links: readonly Link[],
  { path, onlyDocuments }: Situation,
): Answer {
  const shown = events.map(({ name, subject, description, parameters, fields }) => ({
    name,
    subject,
    description,
    parameters,
    fields,
  }))
  const anchors = links.map(([href, name, id]) => {
    const named = id === undefined ? '' : ` id="${id}"`
    return `<a${named} href="${href}">${name}</a>`
  })
  const html = readPart('html')
    .replace('"PATH"', () => `"${path.replaceAll('&', '&amp;')}"`)
    .replace('<!-- LINKS -->', () => anchors.join(' '))
    .replace('<!-- TRUSTED -->', () => (onlyDocuments ? onlyDocumentsNote : ''))
    .replace('/* STYLE */', () => stylesheet() + readPart('css'))
    .replace('"EVENTS"', () => JSON.stringify(shown).replaceAll('<', '\\u003c'))
    .replace('/* SCRIPT */', () => readPart('generated.js'))
  const body = Buffer.from(html)
  const about = { event: 'page', format: 'HTML', outcome: 'ok', values: 0 } as const
  return { status: 200, headers: pageHeaders(html), body, etag: etagOf(body), about }
}

function readPart(extension: string): string {
  return readFileSync(ownFile(`src/gateway/pages/explorer.${extension}`), 'utf8')
}
