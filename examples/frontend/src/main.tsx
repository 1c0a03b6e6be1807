import { persistedExchange } from '@urql/exchange-persisted'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Client, cacheExchange, fetchExchange, Provider } from 'urql'
import { Community } from './community.tsx'

/** Returns the id of a document in the manifest. Codegen writes the id into the document. */
async function idOf(_query: string, document: object): Promise<string> {
  const { __meta__: meta } = document as { readonly __meta__?: { readonly hash?: string } }
  if (meta?.hash === undefined) throw new Error('not a document of graphql()')
  return meta.hash
}

// The production build sends the hashes of the manifest instead of query texts, by GET, so that HTTP caches
// can keep the responses. `npm run dev` sends query texts, because queries change while you write them.
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
