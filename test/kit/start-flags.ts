import { readFileSync } from 'node:fs'

const { scripts }: { readonly scripts: { readonly start: string } } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** What `npm start` passes to Node. */
export const startFlags: readonly string[] = scripts.start.match(/(?<= )--\S+/g) ?? []
