// Makes docs/settings.md from the table of settings. `npm run codegen` writes the page; `npm run
// check:contracts` fails if the page is stale.

import { readFileSync, writeFileSync } from 'node:fs'
import type { Setting } from '../src/config/kinds.ts'
import { settings } from '../src/config/settings.ts'

const file = new URL('settings.md', import.meta.url)

/**
 * Headings, and the names of the settings below each. A setting belongs to the first group that its name
 * fits.
 */
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

/** Settings whose effect is not obvious: a value, then a response or an effect without it and with it. */
const examples: Readonly<Record<string, readonly [value: string, without: string, withIt: string]>> = {
  DATABASE_URL: [
    'postgres://reader:secret@db.example/lookup',
    'lookups read the file `lookup.db`',
    'lookups read that database',
  ],
  DATABASE_REPLICA_URLS: [
    'postgres://reader:secret@db-2.example/lookup',
    'one server gets all queries, and lookups fail while it is down',
    'both servers get queries, and either may fail',
  ],
  DATABASE_HEADERS: [
    'X-Api-Key: abc',
    'an old service that needs the key refuses all calls, and lookups are 503',
    'each call has the header',
  ],
  DATABASE_MAX_LAG: [
    '2',
    'a replica that is 5 s behind is read',
    'it is read only if no other server is fit',
  ],
  ADMIN_HOSTS: ['gateway.internal', '`http://gateway.internal:4001/ready` is 421', 'it is 200 or 503'],
  HEALTH_PATH: ['/healthz', '`http://localhost:4000/healthz` is 404', 'it is 200 or 503'],
  COMPRESSION: ['all', 'a legacy response of 20 KB is sent as it is', 'it is sent in gzip'],
  RATE_LIMIT: [
    '3000',
    'a client gets any number of values',
    'after three requests for 1,000 users, the next request within the minute is 429',
  ],
  TRUSTED_PROXIES: [
    '10.0.0.0/8',
    'all requests through the proxy 10.0.0.5 count as those of one client, 10.0.0.5',
    'each client has the address that the proxy adds to `X-Forwarded-For`',
  ],
  LOG_SAMPLE: ['1', 'the log has 1 of 100 requests', 'the log has all requests'],
  JOIN_DATE_UNIT: [
    'seconds',
    '`User` has only `joinDate`, such as 1230768000',
    '`User` also has `joinedAt`, such as `2009-01-01T00:00:00.000Z`',
  ],
  GRAPHQL_MAX_AGE: ['60', '`Cache-Control: public, max-age=0`', '`Cache-Control: public, max-age=60`'],
  GRAPHQL_ONLY_DOCUMENTS: [
    'on',
    'any valid query runs',
    'a query that is not in the manifest is `DOCUMENT_NOT_TRUSTED`',
  ],
  SHADOW_SAMPLE: ['0.1', 'no response is compared', 'one in ten responses is compared'],
  SHADOW_IGNORE: ['Rank', 'ranks 9 and 10 count as `different` in the metrics', 'they count as `ignored`'],
  SHADOW_TOLERATE: [
    'JoinDate=60',
    '1230768000 and 1230768030 count as `different`',
    'they count as `ignored`',
  ],
  CUTOVER_SHARE: [
    '0.1, AppLookup=0.5',
    'the old service answers all clients',
    'the gateway answers lookups of apps for half of the clients, all others for 10 %',
  ],
  CUTOVER_BY: [
    'header:X-Api-Key',
    'all clients behind one address have the same side',
    'clients with different keys may have different sides',
  ],
  CUTOVER_PINS: [
    '203.0.113.0/24=new',
    'these addresses have the side that the share gives them',
    'the gateway answers them, also at the share 0',
  ],
  CUTOVER_TEST_HEADER: [
    'on',
    "`curl -H 'X-Lookup-Side: new' …` is answered as any other request",
    'the gateway answers it',
  ],
  CUTOVER_FALLBACK: [
    'on',
    'while the old service is down, its clients get an error',
    'the gateway answers them',
  ],
  LEGACY_PATHS: ['/,/index.php', '`/index.php?Event=…` is 404', 'it is a lookup'],
  LEGACY_MAX_AGE: ['60', '`Cache-Control: public, max-age=0`', '`Cache-Control: public, max-age=60`'],
  LEGACY_DEPRECATION: ['2027-01-31', 'no such header', '`Deprecation: @1801353600`'],
  LEGACY_SUNSET: ['2027-06-30', 'no such header', '`Sunset: Wed, 30 Jun 2027 00:00:00 GMT`'],
}

const head = `# Settings

This page is for operators: each setting of the gateway and of its commands. A setting
without a default is unset.

- **Where.** Flags come first, then the environment, then a file \`.env\` in the folder that the gateway is
  started in. \`lookup serve --print-config\` shows the value of each setting and where the value comes from.
- **Flags.** \`--port\`, \`--host\`, \`--workers\` and \`--database\` set \`PORT\`, \`HOST\`, \`WORKERS\` and
  \`DATABASE_URL\`. With npm, write flags after \`--\`: \`npm start -- --port 4005\`.
- **Mistakes.** A wrong value is an error that names what is allowed. An unknown name is an error in \`.env\`,
  and in the environment if it begins with \`LEGACY_\`. Other misspelt names in the environment are warnings
  in the log (\`setting-warning\`).
- **Data.** Without \`DATABASE_URL\`, a missing \`lookup.db\` is created with sample data. With \`DATABASE_URL\`,
  a missing database is an error. \`CUTOVER_URL\`, \`SHADOW_URL\` and \`LEGACY_DIALECT\` need \`DATABASE_URL\`.
- **Secrets.** A setting with \`_FILE\` may be in a file, as orchestrators mount secrets:
  \`DATABASE_URL_FILE=/run/secrets/url\`. \`--print-config\` hides secrets.
- **Dialect.** How an old service behaves is no setting, but in a file: [the dialect](dialect.md).
`

function describe({ name, default: byDefault, allowed, purpose, parse }: Setting): string {
  const first = [...settings.values()].find((other) => other.allowed === allowed)?.name
  const isRepeated = first !== name && allowed.length >= 60
  const lines = [
    purpose,
    ...(byDefault === null ? [] : [`Default: \`${byDefault}\``]),
    `Allowed: ${isRepeated ? `as for \`${first}\`` : allowed.replace(/^an? (?:integer|number) from /, '')}`,
  ]
  const example = examples[name]
  if (example !== undefined) {
    const [value, without, withIt] = example
    if (parse(value) === undefined) throw new Error(`${name} cannot be "${value}", its example`)
    lines.push(`Without: ${without}. With \`${name}=${value}\`: ${withIt}`)
  }
  return lines.join('<br>')
}

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
      (row) => `| \`${row.name}\`${row.isSecret ? ' or `_FILE`' : ''} | ${describe(row)} |\n`,
    )
    // Two columns, because a phone shows only two of four.
    return `\n## ${title}\n\n| setting | what for |\n|---|---|\n${lines.join('')}`
  })
  return head + tables.join('')
}

if (import.meta.main) {
  if (process.argv[2] === '--write') writeFileSync(file, printSettings())
  else if (readFileSync(file, 'utf8') !== printSettings()) {
    process.stderr.write('Stale: docs/settings.md. Run "npm run codegen".\n')
    process.exitCode = 1
  }
}
