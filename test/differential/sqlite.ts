import { startGateway } from '../kit/gateway.ts'
import { compareSuite, type Service } from './compare.ts'
import { spoil } from './spoil.ts'

const start: Service['start'] = async (settings, files, made) => {
  const gateway = await startGateway(settings, files)
  return { ...gateway, rows: spoil(gateway.database.path, made) }
}

export const sqliteSuite = () =>
  compareSuite(
    [
      {
        name: 'SQLite, default settings',
        settings: {},
        habits: { isLenient: false, showsUnknown: false, serviceName: 'Service' },
        start,
      },
      {
        name: 'SQLite, unknown values shown, other names',
        settings: { LEGACY_SERVICE_NAME: 'Acme_2', LEGACY_CHAT_METHOD: 'talk-2', LEGACY_UNKNOWN: 'null' },
        habits: { isLenient: false, showsUnknown: true, serviceName: 'Acme_2' },
        start,
      },
      {
        name: 'SQLite, nothing malformed, every status 200',
        settings: { LEGACY_MALFORMED: 'unknown', LEGACY_ERROR_STATUS: '200' },
        habits: { isLenient: true, showsUnknown: false, serviceName: 'Service' },
        start,
      },
    ],
    [170, 67_000],
  )
