// The page at `/` on which a person tries the legacy interface, built from the events' own declarations. All
// of it is in one answer; what runs in it is made of src/gateway/explorer.

import { readFileSync } from 'node:fs'
import { stylesheet } from '../../pages/page.ts'
import { type Answer, etagOf } from '../answer.ts'
import { pageHeaders } from './headers.ts'

/** What the page shows of an event; the declarations under legacy/events have it all. */
export interface ShownEvent {
  readonly name: string
  readonly description: string
  readonly parameters: readonly {
    readonly name: string
    readonly description: string
    readonly allowed?: readonly string[]
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

/**
 * The page, made when it is first asked for.
 * @param path where lookups are answered, relative to the page
 */
export function explorerPage(
  events: readonly ShownEvent[],
  links: readonly Link[],
  path: string,
): () => Answer {
  let page: Answer | null = null
  return () => (page ??= render(events, links, path))
}

function render(events: readonly ShownEvent[], links: readonly Link[], path: string): Answer {
  const shown = events.map(({ name, description, parameters, fields }) => ({
    name,
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
    .replace('/* STYLE */', () => stylesheet() + readPart('css'))
    .replace('"EVENTS"', () => JSON.stringify(shown).replaceAll('<', '\\u003c'))
    .replace('/* SCRIPT */', () => readPart('generated.js'))
  const body = Buffer.from(html)
  const about = { event: 'page', format: 'HTML', outcome: 'ok', values: 0 } as const
  return { status: 200, headers: pageHeaders(html), body, etag: etagOf(body), about }
}

function readPart(extension: string): string {
  return readFileSync(new URL(`./explorer.${extension}`, import.meta.url), 'utf8')
}
