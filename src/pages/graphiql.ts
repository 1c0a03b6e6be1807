// GraphiQL in one response, so that it works without internet. Its script has some 9 MB: the page is rendered
// and compressed at the first request.

import { promisify } from 'node:util'
import { lazily } from '../lazily.ts'
import type { HttpResponse } from '../response.ts'
import { pageResponse } from './headers.ts'

/** Has values of the sample data. */
const firstQuery = `# Press the button to run one of these queries.
# The book on the left documents the schema.

query Users {
  # One item per value, in order; null if nothing matches.
  users(values: ["1", "2", "0"]) { id username displayName joinDate banned }
}

query UsersByName {
  users(by: USERNAME, values: ["ada", "søren"]) { id username displayName }
}

query Apps {
  apps(ids: ["1", "2"]) { title version downloadLink }
}
`

// The editor writes style elements, has its icons in a font, and starts workers from texts in the page.
const policy = { 'style-src': "'unsafe-inline'", 'font-src': 'data:', 'worker-src': 'blob:' }

// Yoga's page reads only the query from its address. This one reads and keeps the variables, too: people
// share the address.
const start = 'YogaGraphiQL.renderYogaGraphiQL('
const startShared = `((root, options) => {
          const keep = (name) => (text) => {
            const address = new URL(location.href)
            if (text) address.searchParams.set(name, text)
            else address.searchParams.delete(name)
            history.replaceState({}, '', address)
          }
          const variables = new URL(location.href).searchParams.get('variables') ?? undefined
          const keeping = { onEditQuery: keep('query'), onEditVariables: keep('variables') }
          ${start}root, { ...options, variables, ...keeping })
        })(`

/** On a phone, the response is below the editor. */
const headForPhones = `<head>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <style>
      @media (max-width: 45rem) {
        .graphiql-container #graphiql-session { flex-direction: column }
        .graphiql-container #graphiql-session > div { flex: 1 1 0 !important }
        .graphiql-container :is(.graphiql-horizontal-drag-bar, .graphiql-logo) { display: none }
      }
    </style>`

// GraphiQL removes blanks from a query, so even the text of a trusted document is refused.
const onlyDocumentsNote = `<details open style="position:fixed;z-index:99;bottom:1rem;left:50%;transform:translateX(-50%);width:min(40rem,100vw - 2rem);box-sizing:border-box;padding:0.5rem 1rem;border:1px solid;border-radius:0.5rem;background:Canvas;color:CanvasText;font:0.9rem/1.4 system-ui">
      <summary>Only trusted documents run</summary>
      This gateway runs only the documents of its manifest. It refuses any query of this page.
      Try queries on a gateway without GRAPHQL_ONLY_DOCUMENTS.
    </details>`

/** The page, gzipped: every browser accepts gzip. @param onlyDocuments whether only trusted documents run */
export function graphiqlPage(onlyDocuments: boolean): () => Promise<HttpResponse> {
  return lazily(async () => {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
    const { gzip } = await import('node:zlib')
    const html = renderGraphiQL({ title: 'Lookup Service · GraphiQL', defaultQuery: firstQuery })
      .replace('<head>', () => headForPhones)
      .replace(start, () => startShared)
      .replace('<div id="root"', (root) => (onlyDocuments ? onlyDocumentsNote : '') + root)
    return pageResponse(html, policy, await promisify(gzip)(html))
  })
}
