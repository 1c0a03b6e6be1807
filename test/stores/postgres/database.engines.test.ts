import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../src/stores/postgres/engine.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { fillSample, openDatabase, watchStore } from '../../kit/engines.ts'
import { postgresEngine } from '../../kit/postgres/engine.ts'
import { locate } from '../../kit/postgres/server.ts'
import { startProxy } from '../../kit/proxy.ts'
import { rowsOf } from '../../kit/rows.ts'

test('texts that the encoding of the database lacks match nothing, and others are found', async () => {
  const encoding = `ENCODING 'LATIN1' TEMPLATE template0`
  const { location, run } = await openDatabase(postgresEngine, (one) => makeTables(one.location), encoding)
  await run(
    `INSERT INTO users VALUES (1, 'Zoë', 'zoë', 'ÿ', '', 1, 1, true, false),
      (2, 'b', 'b', 'b', '', 1, 1, true, false)`,
  )
  const { store } = await watchStore(location)
  const found = await store.findUsers('USERNAME', ['日本', 'b', '星', 'zoë', '日本', 'none'])
  expect(rowsOf(found).map((user) => user?.id ?? null)).toEqual([null, 2, null, 1, null, null])
  expect(await store.findUsers('CHAT', ['星'])).toEqual([null])
})

test('a server tells any role where it is', async () => {
  const { name, run } = await openDatabase(postgresEngine)
  await run(`CREATE ROLE ${name}; SET ROLE ${name}`)
  const ask = async ({ text }: { text: string }) =>
    (await run(text)).map(([writes, position, ...others]) => [
      writes === 1,
      Number(position),
      ...others.map(String),
    ])
  const read = () => postgres.readReplicationState(ask, () => expect.unreachable())
  const first = await read()
  expect(first).toMatchObject({ writable: true, history: '1', lineage: expect.stringMatching(/^\d+$/) })
  await run(`RESET ROLE; CREATE TABLE more (); DROP ROLE ${name}`)
  const second = await read()
  expect(second).toEqual({ ...first, position: expect.any(BigInt) })
  expect(second.position).toBeGreaterThan(first.position ?? 0n)
})

test('a table whose row-level security hides every row is refused at the start', async () => {
  const { name, url, run } = await openDatabase(postgresEngine, fillSample)
  await run(`CREATE ROLE ${name} LOGIN; GRANT SELECT ON users, apps TO ${name};
    ALTER TABLE users ENABLE ROW LEVEL SECURITY`)
  const location = locate(url.replace('postgres@', `${name}@`))
  await expect(watchStore(location)).rejects.toThrow(
    /users has row-level security and no policy, so that the role sees no row\. Create a policy/,
  )
  await run(`CREATE POLICY readers ON users FOR SELECT USING (id = 1)`)
  const { store } = await watchStore(location)
  expect(await store.findUsers('ID', ['1', '2'])).toMatchObject([{ id: 1 }, null])
  await store.close()
  await run(`DROP OWNED BY ${name}; DROP ROLE ${name}`)
})

describe('behind a proxy that shares sessions, as PgBouncer does', () => {
  /** Refuses parameters of a session, with the message of PgBouncer. */
  async function startRefusingProxy(port: number): Promise<number> {
    const message = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: options\0\0')
    const proxy = await startProxy(port, (client, upstream) => {
      upstream.pipe(client)
      client.once('data', (startup) => {
        if (!startup.includes('options\0')) {
          upstream.write(startup)
          client.pipe(upstream)
        } else {
          const length = Buffer.alloc(5, 'E')
          length.writeInt32BE(message.length + 4, 1)
          client.end(Buffer.concat([length, message]))
        }
      })
    })
    onTestFinished(proxy.close)
    return proxy.port
  }

  test('lookups are answered, whatever statements a session has', async () => {
    const { url, run, name } = await openDatabase(postgresEngine, fillSample)
    // Each session has the names of the gateway's statements already.
    await run(`CREATE FUNCTION prepare() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        IF session_user = '${name}' THEN
          EXECUTE 'PREPARE "users-by-id" AS SELECT 1'; EXECUTE 'PREPARE "apps-by-id" AS SELECT 1';
        END IF; END $$;
      CREATE EVENT TRIGGER prepare ON login EXECUTE FUNCTION prepare();
      CREATE ROLE ${name} LOGIN; GRANT SELECT ON users, apps TO ${name}`)
    const proxied = new URL(url.replace('postgres@', `${name}@`))
    proxied.port = String(await startRefusingProxy(Number(proxied.port)))
    const { store, of } = await watchStore(locate(proxied.href))
    for (let time = 0; time < 20; time++) {
      expect(await store.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
      expect(await store.findApps(['1'])).toMatchObject([{ id: 1 }])
    }
    expect(of('store-failed', 'store-retried', 'server-out')).toEqual([])
    await expect(watchStore(locate(`${proxied.href}?options=-c%20search_path%3Dforum`))).rejects.toThrow(
      /unsupported startup parameter: options\. Set search_path by ALTER ROLE/,
    )
    await store.close()
    await run(`DROP EVENT TRIGGER prepare; DROP OWNED BY ${name}; DROP ROLE ${name}`)
  })
})
