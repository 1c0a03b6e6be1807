import type { App } from '../../../data/apps.ts'
import type { Dialect } from '../../../settings.ts'
import { separators } from '../habits/list.ts'
import { orderOfApps } from '../habits/orders.ts'
import { AppLookupDocument } from '../operations.generated.ts'
import { defineEvent, type LegacyEvent } from './event.ts'
import { askByIds, listParser } from './values.ts'

/** AppLookup: basic information about published applications (specification 4.2). */
export function appLookup(dialect: Dialect): LegacyEvent {
  const parseList = listParser('Apps', dialect)
  const ask = askByIds(dialect, '')
  // An entry is named by its id.
  return defineEvent<Omit<App, 'id'>>()({
    subject: 'apps',
    name: 'AppLookup',
    description: 'Basic information about one or more published applications.',
    order: {
      setting: dialect.appsOrder === null ? 'LEGACY_ORDER' : 'LEGACY_APPS_ORDER',
      value: orderOfApps(dialect.order, dialect.appsOrder),
    },
    parameters: [
      {
        name: 'Apps',
        required: true,
        description: `Numeric application identifiers, separated by ${separators[dialect.list]}.`,
        list: true,
        example: '1:2',
      },
    ],
    fields: {
      title: { name: 'Title', type: 'string', description: 'Name of the application.' },
      version: {
        name: 'Version',
        type: 'string',
        description: 'Version: <major>.<minor>.<patch>.',
      },
      category: { name: 'Category', type: 'integer', description: 'Category code.' },
      changelogLink: {
        name: 'ChangelogLink',
        type: 'string',
        description: 'Absolute URL of the changelog.',
      },
      downloadLink: {
        name: `${dialect.serviceName}DownloadLink`,
        type: 'string',
        description: "Absolute URL of the download page; ends in the application's identifier and a slash.",
      },
    },
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
      const { values, isCut } = parseList(parameter('Apps'), true)
      const { wanted, places } = ask(values)
      const variables = { values: wanted }
      return { values, isCut, variables, places, isFor: null, areIds: true, areUsernames: false }
    },
  })
}
