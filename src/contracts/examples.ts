// The requests and rows that the published contracts show as examples.

import type { Subject } from '../legacy/dialect.ts'
import type { Row } from '../legacy/events.ts'

interface Example {
  readonly values: readonly string[]
  readonly rows: readonly Row[]
}

const common = { joinDate: 1199145600, isConfirmed: true, banned: false }

export const examples: Readonly<Record<Subject, Example>> = {
  users: {
    values: ['1', '2', '3'],
    rows: [
      { ...common, id: '1', username: 'Ada', displayName: 'Ada of the Hill', rank: 9 },
      { ...common, id: '2', username: 'søren', displayName: 'Søren Ærlig ÿĀ', rank: 3 },
      { ...common, id: '3', username: 'mallory', displayName: 'Mallory', rank: 1, banned: true },
    ],
  },
  apps: {
    values: ['1', '70000'],
    rows: [
      {
        title: 'Pocket Almanac',
        version: '1.4.2',
        category: 3,
        changelogLink: 'https://apps.example/1/changelog',
        downloadLink: 'https://apps.example/download/1/',
      },
      {
        title: 'Ledger',
        version: '2026.11.3',
        category: 4,
        changelogLink: 'https://apps.example/70000/changelog',
        downloadLink: 'https://apps.example/download/70000/',
      },
    ],
  },
}
