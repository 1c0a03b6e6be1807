import type { Dialect } from '../dialect.ts'
import { AppLookupDocument } from '../operations.generated.ts'
import { defineEvent, type LegacyEvent } from './event.ts'
import { checkIds, parseList } from './values.ts'

/** AppLookup: basic information about published applications (specification 4.2). */
export function appLookup(dialect: Dialect): LegacyEvent {
  return defineEvent({
    name: 'AppLookup',
    description: 'Basic information about one or more published applications.',
    parameters: [
      {
        name: 'Apps',
        required: true,
        description: 'Numeric application identifiers, separated by colons.',
        list: true,
        example: '1:2',
      },
    ],
    fields: [
      { name: 'Title', source: 'title', type: 'string', description: 'Name of the application.' },
      {
        name: 'Version',
        source: 'version',
        type: 'string',
        description: 'Version: <major>.<minor>.<patch>.',
      },
      { name: 'Category', source: 'category', type: 'integer', description: 'Category code.' },
      {
        name: 'ChangelogLink',
        source: 'changelogLink',
        type: 'string',
        description: 'Absolute URL of the changelog.',
      },
      {
        name: `${dialect.serviceName}DownloadLink`,
        source: 'downloadLink',
        type: 'string',
        description: "Absolute URL of the download page; ends in the application's identifier and a slash.",
      },
    ],
    example: {
      values: ['1', '70000'],
      entries: [
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
    operation: AppLookupDocument,
    parse: (parameter) => {
      const values = parseList('Apps', parameter('Apps'), dialect)
      checkIds(values, dialect, '')
      return { values, variables: { values } }
    },
  })
}
