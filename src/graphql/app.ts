import type { App } from '../data/apps.ts'
import type { Builder } from './builder.ts'

export function addApp(builder: Builder) {
  return builder.objectRef<App>('App').implement({
    description: 'A published application (release).',
    fields: (t) =>
      ({
        id: t.exposeID('id', { description: 'Numeric identifier of the application.' }),
        title: t.exposeString('title', { description: 'Name of the application: up to 1,000 characters.' }),
        version: t.exposeString('version', { description: 'Version of the release: major.minor.patch.' }),
        category: t.exposeInt('category', {
          description:
            'Category of the application, as a code of the service: applications of one category have the same number. The gateway has no names for the codes; the operator of the service may.',
        }),
        changelogLink: t.expose('changelogLink', {
          type: 'URL',
          description: 'Address of the changelog of the release.',
        }),
        downloadLink: t.expose('downloadLink', {
          type: 'URL',
          description:
            'Address of the download page. Its path ends in the numeric identifier of the application and a slash.',
        }),
      }) satisfies Record<keyof App, unknown>,
  })
}
