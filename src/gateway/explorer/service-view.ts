// What runs here, and how it is.

import { byId, element, rows } from './elements.ts'
import { count } from './fold.ts'
import type { Explained } from './gateway.ts'
import { beginning } from './token.ts'

type Service = Explained['service']

const stores: Readonly<Record<string, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  'old-service': 'Old service',
}

export function showService({ version, store, ready, users, apps, dialect }: Service): void {
  const state = ready ? `ready · ${countOf(users)} users · ${countOf(apps)} apps` : 'does not respond'
  byId('service', HTMLElement).textContent = `Version ${version} · ${stores[store] ?? store} ${state}`
  const empty = [...(isNone(users) ? ['users'] : []), ...(isNone(apps) ? ['apps'] : [])]
  const note = byId('note', HTMLElement)
  note.hidden = empty.length === 0
  const commands = empty.map((name) => `"lookup import ${name} FILE"`).join(' and ')
  note.textContent = `The database has no ${empty.join(' and no ')}. Fill it with ${commands}.`
  showDialect(dialect)
}

function isNone(counted: Service['users']): boolean {
  return counted?.exact === true && counted.count === 0
}

function countOf(counted: Service['users']): string {
  return counted === null
    ? 'an unknown number of'
    : `${counted.exact ? '' : 'at least '}${count(counted.count)}`
}

function showDialect(dialect: Service['dialect']): void {
  const differ =
    dialect.length === 0
      ? 'Every LEGACY_… setting has its default.'
      : `Settings that differ from the defaults: ${dialect.length}`
  const lines = dialect.map(({ setting, value }) => [setting, element('code', {}, beginning(value))] as const)
  const table = dialect.length === 0 ? [] : [rows(lines, 'settings')]
  byId('dialect', HTMLElement).replaceChildren(element('p', { class: 'faint' }, differ), ...table)
}
