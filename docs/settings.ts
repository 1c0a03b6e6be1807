// Makes docs/settings.md of the table of settings: `npm run codegen` writes it, and `npm run check:contracts`
// says when it is stale.

import { readFileSync, writeFileSync } from 'node:fs'
import { settings } from '../src/config/settings.ts'

const file = new URL('settings.md', import.meta.url)

/** Headings, and the names of the settings below them; the first group that a name fits has it. */
const groups: readonly (readonly [title: string, names: RegExp])[] = [
  ['Database', /^DATABASE_/],
  [
    'Listening, limits and logs',
    /^(?:PORT|HOST|ADMIN_|HEALTH_|WORKERS|(?:HEADERS|REQUEST|IDLE)_TIMEOUT$|MAX_|COMPRESSION|RATE_|TRUSTED_|LOG_|ACCESS_LOG)/,
  ],
  ['GraphQL and pages', /^(?:GRAPHQL_|GRAPHIQL|EXPLORER|FEDERATION|INTROSPECTION|JOIN_)/],
  ['Comparing with an old service', /^SHADOW_/],
  ['Cutting over', /^CUTOVER_/],
  ['The legacy interface', /^LEGACY_/],
]

const head = `# Settings

Flags come first, then the environment, then a file \`.env\` in the folder that the gateway is started in.
\`lookup serve --print-config\` shows what is in force and where it comes from. A wrong value is an error that
names what is allowed, and so is an unknown name in \`.env\` or one that begins with \`LEGACY_\`. Any other
misspelt variable of the environment is a warning, \`setting-warning\` in the log.

\`--port\`, \`--host\`, \`--workers\` and \`--database\` stand for \`PORT\`, \`HOST\`, \`WORKERS\` and
\`DATABASE_URL\`. With npm, write flags after \`--\`: \`npm start -- --port 4005\`. Without \`DATABASE_URL\`, a
missing \`lookup.db\` is made with sample data; with it, a missing database is an error.

A setting with \`_FILE\` may be in a file, as orchestrators mount secrets: \`DATABASE_URL_FILE=/run/secrets/url\`.

How an old service differs from the contract is no setting but a file: [the dialect](dialect.md).
`

export function printSettings(): string {
  const rows = [...settings.values()]
  const groupOf = (name: string) => {
    const group = groups.find(([, names]) => names.test(name))
    if (group === undefined) throw new Error(`${name} belongs to no group of docs/settings.ts`)
    return group[0]
  }
  const tables = groups.map(([title]) => {
    const own = rows.filter(({ name }) => groupOf(name) === title)
    const lines = own.map(
      ({ name, default: byDefault, allowed, purpose, isSecret }) =>
        `| \`${name}\`${isSecret ? ' or `_FILE`' : ''} | ${purpose}<br>Default: ${byDefault === null ? 'none' : `\`${byDefault}\``}<br>Allowed: ${allowed} |\n`,
    )
    // Two columns: of four, a phone shows two, and what a setting is for was not among them.
    return `\n## ${title}\n\n| setting | what for |\n|---|---|\n${lines.join('')}`
  })
  return head + tables.join('')
}

if (import.meta.main) {
  if (process.argv[2] === '--write') writeFileSync(file, printSettings())
  else if (readFileSync(file, 'utf8') !== printSettings()) {
    process.stderr.write('Stale: docs/settings.md. "npm run codegen" writes it anew.\n')
    process.exitCode = 1
  }
}
