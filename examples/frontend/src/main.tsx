import { persistedExchange } from '@urql/exchange-persisted'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Client, cacheExchange, fetchExchange, Provider } from 'urql'
import { Community } from './community.tsx'

/** The id of a document in the manifest, which codegen leaves with it. */
async function idOf(_query: string, document: object): Promise<string> {
  const { __meta__: meta } = document as { readonly __meta__?: { readonly hash?: string } }
  if (meta?.hash === undefined) throw new Error('not a document of graphql()')
  return meta.hash
}

// What is built names its queries by the hashes of the manifest, by GET: no query text goes out, and caches may
// keep the answers. While it is being written, queries change all the time, and go out whole.
const exchanges = import.meta.env.PROD
  ? [cacheExchange, persistedExchange({ enforcePersistedQueries: true, generateHash: idOf }), fetchExchange]
  : [cacheExchange, fetchExchange]

const client = new Client({
  url: import.meta.env.VITE_GATEWAY ?? 'http://localhost:4000/graphql',
  exchanges,
  preferGetMethod: false,
})

const root = document.getElementById('root')
if (root === null) throw new Error('no #root')
createRoot(root).render(
  <StrictMode>
    <Provider value={client}>
      <Community />
    </Provider>
  </StrictMode>,
)
