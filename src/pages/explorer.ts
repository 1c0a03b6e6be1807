// The explorer: the page at `/` on which people try the legacy interface. One response has all of it;
// src/pages/explorer is the source of its script.

import { readFileSync } from 'node:fs'
import type { Answer } from '../answer.ts'
import type { ShownEvent } from '../legacy/events.ts'
import { ownFile } from '../own-file.ts'
import { pageAnswer } from './headers.ts'
import { stylesheet } from './page.ts'

interface Options {
  readonly events: readonly ShownEvent[]
  /** The path of lookups, relative to the page. */
  readonly path: string
  /** The names of the files under schema/. */
  readonly files: readonly string[]
  readonly graphiql: boolean
  /** Whether GraphQL runs only trusted documents. */
  readonly onlyDocuments: boolean
}

const onlyDocumentsNote =
  '<p class="bad">This gateway runs only the documents of its manifest (GRAPHQL_ONLY_DOCUMENTS). Add this query to the manifest before you use it.</p>'

/** The page is rendered when it is first requested. */
export function explorerPage({ events, path, files, graphiql, onlyDocuments }: Options): () => Answer {
  function render(): Answer {
    // Links are relative: a proxy may serve the gateway below any path.
    const links = files.map((file) => `<a href="schema/${file}">${file}</a>`)
    if (graphiql) links.unshift('<a href="graphql">GraphiQL</a>')
    const html = readPart('html')
      .replace('"PATH"', () => `"${path.replaceAll('&', '&amp;')}"`)
      .replace('<!-- LINKS -->', () => links.join(' '))
      .replace('<!-- TRUSTED -->', () => (onlyDocuments ? onlyDocumentsNote : ''))
      .replace('<!-- OPEN -->', () => (graphiql ? '<a id="open">Open in GraphiQL</a>' : ''))
      .replace('/* STYLE */', () => stylesheet() + readPart('css'))
      .replace('"EVENTS"', () => JSON.stringify(events).replaceAll('<', '\\u003c'))
      .replace('/* SCRIPT */', () => readPart('generated.js'))
    return pageAnswer(html)
  }
  let page: Answer | null = null
  return () => (page ??= render())
}

function readPart(extension: string): string {
  return readFileSync(ownFile(`src/pages/explorer/explorer.${extension}`), 'utf8')
}
