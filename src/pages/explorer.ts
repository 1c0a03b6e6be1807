// The explorer: the page at `/` on which people try the legacy interface. One response has all of it;
// src/pages/explorer is the source of its script.

import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { shownEvents } from '../legacy/events.ts'
import { ownFile } from '../own-file.ts'
import type { HttpResponse } from '../response.ts'
import { pageResponse } from './headers.ts'
import { stylesheet } from './page.ts'

const onlyDocumentsNote =
  '<p class="bad">This gateway runs only the documents of its manifest (GRAPHQL_ONLY_DOCUMENTS). Add this query to the manifest before you use it.</p>'

/** The page is rendered when it is first requested. @param files their names under schema/ */
export function explorerPage(config: Config, files: readonly string[]): () => HttpResponse {
  const { dialect, legacy, graphiql, trustedDocuments } = config
  function render(): HttpResponse {
    // Links are relative: a proxy may serve the gateway below any path.
    const links = files.map((file) => `<a href="schema/${file}">${file}</a>`)
    if (graphiql) links.unshift('<a href="graphql">GraphiQL</a>')
    const events = JSON.stringify(shownEvents(dialect))
    const html = readPart('html')
      .replace('"PATH"', () => `"${relativePath(legacy.paths).replaceAll('&', '&amp;')}"`)
      .replace('<!-- LINKS -->', () => links.join(' '))
      .replace('<!-- TRUSTED -->', () => (trustedDocuments.only ? onlyDocumentsNote : ''))
      .replace('<!-- OPEN -->', () => (graphiql ? '<a id="open">Open in GraphiQL</a>' : ''))
      .replace('/* STYLE */', () => stylesheet() + readPart('css'))
      .replace('"EVENTS"', () => events.replaceAll('<', '\\u003c'))
      .replace('/* SCRIPT */', () => readPart('generated.js'))
    return pageResponse(html)
  }
  let page: HttpResponse | null = null
  return () => (page ??= render())
}

/** The path of lookups, relative to the page. */
function relativePath(paths: readonly string[]): string {
  return paths.includes('/') ? '' : `.${paths[0] ?? '/'}`
}

function readPart(extension: string): string {
  return readFileSync(ownFile(`src/pages/explorer/explorer.${extension}`), 'utf8')
}
