// The GraphiQL page, whole in one answer: it works without internet. Rendered and compressed once, when first
// asked for, because it is some 9 MB of script.

import { promisify } from 'node:util'
import { lazily } from '../../lazily.ts'
import { type Answer, etagOf } from '../answer.ts'
import { pageHeaders } from './headers.ts'

const firstQuery = `# Press the button to run one of these.
# The book on the left shows all there is to ask.

query Users {
  users(values: ["1", "2", "99"]) {
    id
    username
    displayName
    joinDate
    banned
  }
}

query UsersByName {
  users(by: USERNAME, values: ["ada", "søren"]) {
    id
    username
    displayName
  }
}

query Apps {
  apps(ids: ["1", "2"]) {
    title
    version
    downloadLink
  }
}
`

// Its editor makes style elements and attributes as it goes, brings its icons as a font, and reads what is
// typed in workers that it makes of texts in the page.
const exceptions = { 'style-src': "'unsafe-inline'", 'font-src': 'data:', 'worker-src': 'blob:' }

// Yoga's page reads the query from its address, but not the variables: with both, an address can be shared.
const start = 'YogaGraphiQL.renderYogaGraphiQL('
const shared = `((root, options) => {
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

async function render(): Promise<Answer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const { gzip } = await import('node:zlib')
  const rendered = renderGraphiQL({ title: 'Lookup Service · GraphiQL', defaultQuery: firstQuery })
  const html = rendered.replace(start, () => shared)
  const body = await promisify(gzip)(html)
  const headers = [...pageHeaders(html, exceptions), 'Content-Encoding', 'gzip']
  const about = { event: 'page', format: 'HTML', outcome: 'ok', values: 0 } as const
  return { status: 200, headers, body, etag: etagOf(body), about }
}

/** The page, gzipped: every browser takes that. */
export const graphiqlPage = lazily(render)
