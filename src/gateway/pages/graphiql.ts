// The GraphiQL page, whole in one answer: it works without internet. It is some 9 MB of script: rendered and
// compressed when first asked for, and again when its examples are others.

import { promisify } from 'node:util'
import { lazily } from '../../lazily.ts'
import { type Answer, etagOf } from '../answer.ts'
import { pageHeaders } from './headers.ts'

/** Values to try, such as stores/examples.ts tells. */
interface Examples {
  readonly users: readonly string[]
  readonly usernames: readonly string[]
  readonly apps: readonly string[]
}

/** What it begins with; values that are there, where that can be told. */
function firstQuery({ users, usernames, apps }: Examples): string {
  return `# Press the button to run one of these.
# The book on the left documents the schema.

query Users {
  users(values: ${listOf(users, ['1', '2'])}) {
    id
    username
    displayName
    joinDate
    banned
  }
  # One item for each value, in order; null where nothing matches.
  nobody: users(values: ["0"]) {
    id
  }
}

query UsersByName {
  users(by: USERNAME, values: ${listOf(usernames, ['ada', 'søren'])}) {
    id
    username
    displayName
  }
}

query Apps {
  apps(ids: ${listOf(apps, ['1', '2'])}) {
    title
    version
    downloadLink
  }
}
`
}

/** In the page's script, where nothing may end it. */
function listOf(found: readonly string[], others: readonly string[]): string {
  const texts = found.length > 0 ? found : others
  return `[${texts.map((text) => JSON.stringify(text).replaceAll('<', '\\u003c')).join(', ')}]`
}

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

const root = '<div id="root"'

const head = '<head>'

/** On a phone the response stands below the editor: beside it there is no room. */
const forPhones = `${head}
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <style>
      @media (max-width: 45rem) {
        .graphiql-container #graphiql-session { flex-direction: column }
        .graphiql-container #graphiql-session > div { flex: 1 1 0 !important }
        .graphiql-container :is(.graphiql-horizontal-drag-bar, .graphiql-logo) { display: none }
      }
    </style>`

/** Stands over the page. GraphiQL sends what is typed without its blanks, which is no text of a manifest. */
const onlyDocumentsNote = `<details open style="position:fixed;z-index:99;bottom:1rem;left:50%;transform:translateX(-50%);width:min(40rem,100vw - 2rem);box-sizing:border-box;padding:0.5rem 1rem;border:1px solid;border-radius:0.5rem;background:Canvas;color:CanvasText;font:0.9rem/1.4 system-ui">
      <summary>Only trusted documents run</summary>
      This gateway answers only the documents of its manifest, and refuses what is typed here.
      Try queries on a gateway without GRAPHQL_ONLY_DOCUMENTS.
    </details>`

async function render(onlyDocuments: boolean, examples: Examples): Promise<Answer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const { gzip } = await import('node:zlib')
  const rendered = renderGraphiQL({ title: 'Lookup Service · GraphiQL', defaultQuery: firstQuery(examples) })
  const note = onlyDocuments ? onlyDocumentsNote : ''
  const html = rendered
    .replace(head, () => forPhones)
    .replace(start, () => shared)
    .replace(root, () => note + root)
  const body = await promisify(gzip)(html)
  const headers = [...pageHeaders(html, exceptions), 'Content-Encoding', 'gzip']
  const about = { event: 'page', format: 'HTML', outcome: 'ok', values: 0 } as const
  return { status: 200, headers, body, etag: etagOf(body), about }
}

/**
 * The page, gzipped: every browser takes that.
 * @param onlyDocuments whether only trusted documents run, which the page says then
 */
export function graphiqlPage(
  onlyDocuments: boolean,
  examples: () => Promise<Examples>,
): () => Promise<Answer> {
  let made: { readonly of: string; readonly page: () => Promise<Answer> } | null = null
  return async () => {
    const now = await examples()
    const of = JSON.stringify(now)
    if (made?.of !== of) made = { of, page: lazily(() => render(onlyDocuments, now)) }
    return made.page()
  }
}
