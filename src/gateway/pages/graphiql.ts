// The GraphiQL page, whole in one response: it works without internet. It is some 9 MB of script, so it is
// rendered and compressed when it is first requested.

import { promisify } from 'node:util'
import { lazily } from '../../lazily.ts'
import { type Answer, etagOf } from '../answer.ts'
import { pageHeaders } from './headers.ts'

/** The values are those of the sample data. */
const firstQuery = `# Press the button to run one of these.
# The book on the left documents the schema.

query Users {
  # One item for each value, in order; null where nothing matches.
  users(values: ["1", "2", "0"]) { id username displayName joinDate banned }
}

query UsersByName {
  users(by: USERNAME, values: ["ada", "søren"]) { id username displayName }
}

query Apps {
  apps(ids: ["1", "2"]) { title version downloadLink }
}
`

// The editor writes style elements and attributes, has its icons in a font, and runs workers made of texts in
// the page.
const exceptions = { 'style-src': "'unsafe-inline'", 'font-src': 'data:', 'worker-src': 'blob:' }

// Yoga's page reads only the query from its address. With the variables too, people can share an address.
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

// GraphiQL sends a query without its blanks, so not even the text of a trusted document is one.
const onlyDocumentsNote = `<details open style="position:fixed;z-index:99;bottom:1rem;left:50%;transform:translateX(-50%);width:min(40rem,100vw - 2rem);box-sizing:border-box;padding:0.5rem 1rem;border:1px solid;border-radius:0.5rem;background:Canvas;color:CanvasText;font:0.9rem/1.4 system-ui">
      <summary>Only trusted documents run</summary>
      This gateway answers only the documents of its manifest, and refuses what is typed here.
      Try queries on a gateway without GRAPHQL_ONLY_DOCUMENTS.
    </details>`

/**
 * The page, gzipped: every browser accepts that.
 * @param onlyDocuments whether GraphQL runs only trusted documents; then the page says so
 */
export function graphiqlPage(onlyDocuments: boolean): () => Promise<Answer> {
  return lazily(async () => {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
    const { gzip } = await import('node:zlib')
    const html = renderGraphiQL({ title: 'Lookup Service · GraphiQL', defaultQuery: firstQuery })
      .replace('<head>', () => headForPhones)
      .replace(start, () => startShared)
      .replace('<div id="root"', (root) => (onlyDocuments ? onlyDocumentsNote : '') + root)
    const body = await promisify(gzip)(html)
    const headers = [...pageHeaders(html, exceptions), 'Content-Encoding', 'gzip']
    const about = { event: 'page', format: 'HTML', outcome: 'ok', values: 0 } as const
    return { status: 200, headers, body, etag: etagOf(body), about }
  })
}
