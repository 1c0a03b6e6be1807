// A real cluster of Galera that tests may stop, kill, freeze, part and bring back.

import { cpSync, existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../postgres/server.ts'
import { MysqlServer } from './server.ts'

const provider = globSync(['/usr/lib/galera/libgalera_smm.so', '/usr/lib/*/galera*/libgalera_smm.so'])[0]

/** Milliseconds in which a node comes back, with all data copied anew perhaps. */
const RETURN_MS = 60_000
/** `wsrep_local_state` of a node that has all there is. */
const SYNCED = '4'

export class GaleraCluster {
  readonly nodes: readonly MysqlServer[]
  /** The flags of each node. */
  readonly #flags: ReadonlyMap<MysqlServer, readonly string[]>

  private constructor(flags: ReadonlyMap<MysqlServer, readonly string[]>) {
    this.nodes = [...flags.keys()]
    this.#flags = flags
  }

  /**
   * Starts three nodes. Each begins with a copy of the same data, so that none has to be sent.
   * @param fill run on a server alone, before
   */
  static async start(fill: (server: MysqlServer) => Promise<unknown>): Promise<GaleraCluster> {
    const ports = await Promise.all(Array.from({ length: 3 }, () => freePort()))
    const [own = [], ...others] = await Promise.all(ports.map((port) => flagsOf(port, ports)))
    const first = await startFirst(own, fill)
    await first.stop()
    // The first writes to its own again while the others are copied.
    const data = join(first.folder, 'copy')
    cpSync(join(first.folder, 'data'), data, { recursive: true })
    const joining = others.map((flags) => MysqlServer.start('mariadb', flags, data))
    try {
      const [joined] = await Promise.all([Promise.all(joining), first.start()])
      await Promise.all([first, ...joined].map(untilSynced))
      const flags = [own, ...others]
      return new GaleraCluster(new Map([first, ...joined].map((node, index) => [node, flags[index] ?? []])))
    } catch (error) {
      // Of nodes that have started, none may outlive the test.
      const started = await Promise.allSettled(joining)
      await Promise.all(started.map((one) => one.status === 'fulfilled' && one.value.remove()))
      await first.remove()
      throw error
    }
  }

  /** Starts a cluster of one node. */
  static async startAlone(fill: (server: MysqlServer) => Promise<unknown>): Promise<GaleraCluster> {
    const port = await freePort()
    const flags = await flagsOf(port, [port])
    const node = await startFirst(flags, fill)
    return new GaleraCluster(new Map([[node, flags]]))
  }

  /** Starts a node that was stopped or killed, and waits until it has all that the others have. */
  async rejoin(node: MysqlServer): Promise<void> {
    await node.restart(this.#flags.get(node) ?? [])
    await untilSynced(node)
  }

  async remove(): Promise<void> {
    for (const node of this.nodes) {
      node.thaw()
      await node.remove()
    }
  }
}

async function startFirst(
  flags: readonly string[],
  fill: (server: MysqlServer) => Promise<unknown>,
): Promise<MysqlServer> {
  const node = await MysqlServer.start('mariadb', [...flags, '--wsrep-new-cluster'])
  await untilSynced(node)
  await fill(node)
  return node
}

/**
 * How long nodes wait for one that is silent is left as Galera has it, 5 s: with less, nodes that meet again
 * lose the quorum now and then.
 */
async function flagsOf(port: number, ports: readonly number[]): Promise<readonly string[]> {
  if (provider === undefined || !existsSync('/usr/bin/rsync'))
    throw new Error('Galera is missing. Install it: apt-get install -y mariadb-server galera-4 rsync')
  const [ist, sst] = [await freePort(), await freePort()]
  const options = [
    `base_port=${port}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${port}`,
    `ist.recv_addr=127.0.0.1:${ist}`,
    `ist.recv_bind=127.0.0.1:${ist}`,
    'gcache.size=16M',
  ]
  return [
    ...['--log-bin', '--log-slave-updates', '--binlog-format=ROW', '--server-id=1'],
    ...['--innodb-autoinc-lock-mode=2', '--wsrep-on=ON', `--wsrep-provider=${provider}`],
    ...['--wsrep-cluster-name=lookup', `--wsrep-node-name=node-${port}`],
    ...['--wsrep-node-address=127.0.0.1', '--wsrep-sst-method=rsync'],
    `--wsrep-sst-receive-address=127.0.0.1:${sst}`,
    `--wsrep-cluster-address=gcomm://${ports.map((each) => `127.0.0.1:${each}`).join()}`,
    `--wsrep-provider-options=${options.join(';')}`,
  ]
}

/** A status variable of a node. */
export async function statusOf(node: MysqlServer, name: string): Promise<string> {
  const rows = await node.run(`SHOW GLOBAL STATUS LIKE 'wsrep_${name}'`)
  return String(rows[0]?.[1])
}

export async function untilSynced(node: MysqlServer): Promise<void> {
  for (const late = performance.now() + RETURN_MS; ; ) {
    const state = await statusOf(node, 'local_state').catch(() => '')
    if (state === SYNCED && (await statusOf(node, 'ready')) === 'ON') return
    if (performance.now() > late) throw new Error(`a node is not synced, but in the state ${state}`)
    await pause(100)
  }
}

/** Cuts a node off from the others, which go on without it, or connects it again. */
export async function isolate(node: MysqlServer, isApart: boolean): Promise<void> {
  await node.run(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${isApart ? 1 : 0}'`)
}

/** Takes a node out of flow control, as a backup does, or lets it catch up. */
export async function desync(node: MysqlServer, is: boolean): Promise<void> {
  await node.run(`SET GLOBAL wsrep_desync = ${is ? 'ON' : 'OFF'}`)
}

/** Has a node refuse all queries, as an operator does who takes it out of use. */
export async function refuse(node: MysqlServer, is: boolean): Promise<void> {
  await node.run(`SET GLOBAL wsrep_reject_queries = ${is ? 'ALL' : 'NONE'}`)
}

/** Has a node leave its cluster, as it does by itself where its data turn out to differ; or begin it anew. */
export async function leave(node: MysqlServer, is: boolean): Promise<void> {
  await node.run(`SET GLOBAL wsrep_cluster_address = '${is ? '' : 'gcomm://'}'`)
}
