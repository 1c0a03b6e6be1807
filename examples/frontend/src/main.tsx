import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Client, cacheExchange, fetchExchange, Provider } from 'urql'
import { Community } from './community.tsx'

const client = new Client({
  url: import.meta.env.VITE_GATEWAY ?? 'http://localhost:4000/graphql',
  exchanges: [cacheExchange, fetchExchange],
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
