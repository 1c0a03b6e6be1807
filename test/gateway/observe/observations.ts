import type { Observation } from '../../../src/observation.ts'

export const error = new Error('no such table: users\nsecond line')
export const about = { event: 'AppLookup', format: 'XML', outcome: 'ok', values: 2 } as const
/** One of each kind. */
export const observations: Record<Observation['type'], Observation> = {
  started: { type: 'started', address: 'http://localhost:1', admin: null, store: 'sqlite' },
  'setting-warning': {
    type: 'setting-warning',
    reason: 'The environment variable WORKER is not a setting. Did you mean WORKERS?',
  },
  'admin-skipped': { type: 'admin-skipped', reason: 'taken' },
  stopping: { type: 'stopping', reason: 'SIGTERM' },
  'worker-lost': { type: 'worker-lost', reason: 'SIGKILL' },
  restarting: { type: 'restarting' },
  restarted: { type: 'restarted' },
  'restart-failed': { type: 'restart-failed', reason: 'exit 1' },
  reloaded: { type: 'reloaded' },
  'reload-failed': { type: 'reload-failed', reason: 'no such file' },
  'documents-read': { type: 'documents-read', path: 'documents.json', count: 12 },
  'connections-refused': { type: 'connections-refused', count: 3 },
  'requests-refused': { type: 'requests-refused', count: 3 },
  'requests-failed': { type: 'requests-failed', count: 3 },
  'slow-clients-cut': { type: 'slow-clients-cut', count: 3 },
  stopped: { type: 'stopped' },
  request: { type: 'request', requestId: 'r-1', about, status: 200, duration: 1.5 },
  'graphql-operation': {
    type: 'graphql-operation',
    client: 'web',
    operation: 'Users',
    fields: ['Query.users', 'User.rank'],
  },
  'store-query': { type: 'store-query', lookup: 'users-by-id', questions: 1, values: 2, duration: 0.5 },
  'store-failed': { type: 'store-failed', error, count: 1 },
  'database-replaced': { type: 'database-replaced', path: 'lookup.db' },
  'database-lost': { type: 'database-lost', path: 'lookup.db', reason: 'gone' },
  'database-back': { type: 'database-back', path: 'lookup.db' },
  'database-warning': { type: 'database-warning', path: 'lookup.db', reason: 'no WAL' },
  'store-retried': { type: 'store-retried', server: 'b:5432/x', reason: 'no answer' },
  'rows-refused': { type: 'rows-refused', relation: 'users', id: '7', column: 'rank', count: 2 },
  'store-split': { type: 'store-split', calls: 13, reason: 'status 403' },
  'server-known': { type: 'server-known', server: 'b:5432/x' },
  'server-warning': { type: 'server-warning', server: 'b:3306/x', reason: 'may write' },
  'server-out': { type: 'server-out', server: 'b:5432/x', reason: 'refused' },
  'server-back': { type: 'server-back', server: 'b:5432/x' },
  'lag-unknown': { type: 'lag-unknown', server: 'b:5432/x', reason: 'no such function' },
  'history-unknown': { type: 'history-unknown', server: 'b:5432/x', reason: 'no such function' },
  'shadow-compared': { type: 'shadow-compared', result: 'meaning', count: 1 },
  'shadow-differs': {
    type: 'shadow-differs',
    requestId: 'r-1',
    event: 'AppLookup',
    method: '',
    format: 'XML',
    field: 'Title',
    kind: 'value',
  },
  'shadow-ignored': {
    type: 'shadow-ignored',
    requestId: 'r-1',
    event: 'ProfileLookup',
    method: 'id',
    format: 'JSON',
    field: 'JoinDate',
    kind: 'value',
    reason: 'ignored',
  },
  'shadow-unanswered': { type: 'shadow-unanswered', reason: 'status 500' },
  'log-lines-lost': { type: 'log-lines-lost', count: 3 },
  unexpected: { type: 'unexpected', requestId: 'r-1', error },
}

/** All but what only metrics show, since clients choose its words. */
export const loggedTypes = Object.keys(observations).filter((type) => type !== 'graphql-operation')
