import type { App as AppModel } from '../data/apps.ts'
import { builder } from './builder.ts'

export const App = builder.objectRef<AppModel>('App').implement({
  description: 'A published application (release).',
  fields: (t) =>
    ({
      id: t.exposeID('id', { description: 'Numeric identifier of the application.' }),
      title: t.exposeString('title', { description: 'Name of the application.' }),
      version: t.exposeString('version', { description: 'Version of the release: major.minor.patch.' }),
      category: t.exposeInt('category', {
        description: 'Category code; what the codes mean is up to the service.',
      }),
      changelogLink: t.exposeString('changelogLink', {
        description: 'Absolute URL of the changelog of the release.',
      }),
      downloadLink: t.exposeString('downloadLink', {
        description:
          'Absolute URL of the download page; its path ends in the numeric identifier and a slash.',
      }),
    }) satisfies Record<keyof AppModel, unknown>,
})
