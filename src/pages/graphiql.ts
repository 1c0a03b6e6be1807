// The GraphiQL page, whole in one answer: it works without internet. Rendered and compressed once, when first
// asked for, because it is some 9 MB of script.

import { promisify } from 'node:util'
import { type Answer, etagOf } from '../answer.ts'

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

async function render(): Promise<Answer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const { gzip } = await import('node:zlib')
  const body = await promisify(gzip)(
    renderGraphiQL({ title: 'Lookup Service · GraphiQL', defaultQuery: firstQuery }),
  )
  const headers = ['Content-Type', 'text/html; charset=utf-8', 'Content-Encoding', 'gzip', 'Vary', 'Accept']
  headers.push('X-Content-Type-Options', 'nosniff')
  const about = { event: 'page', format: 'HTML', outcome: 'ok', values: 0 } as const
  return { status: 200, headers: [...headers, 'Cache-Control', 'no-cache'], body, etag: etagOf(body), about }
}

let page: Promise<Answer> | null = null

/** The page, gzipped: every browser takes that. */
export function graphiqlPage(): Promise<Answer> {
  page ??= render()
  return page
}
