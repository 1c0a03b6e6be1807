// npm run bench: measures the cost of a request, compared with other servers and with earlier commits.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { contenders as all, gateway } from './contenders.ts'
import { openStores, provideFile, root, type Stores } from './data.ts'
import { generatorName } from './load.ts'
import { type Contenders, check, cpuTime, latency, type Measure, run, say } from './measure.ts'
import { messageOf } from './processes.ts'
import { medianOf, print, rowsOf } from './report.ts'
import { workloads } from './workloads.ts'

interface Options {
  readonly users: number
  readonly rounds: number
  /** Of one measurement. */
  readonly seconds: number
  readonly contenders: readonly string[]
  readonly workloads: readonly string[]
  readonly against?: string
  readonly connections: number
  readonly rate: number
  readonly json?: string
}

/** A request may cost so many times what it cost before. */
const LIMIT = 1.02

function atLeast(least: number) {
  return (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
    throw new InvalidArgumentError(`It must be an integer of at least ${least}.`)
  }
}

/** The gateway, and the contenders that can run here; says why the others cannot. */
function choose(names: readonly string[], asked: readonly string[]): Contenders {
  const possible = Object.entries(all).filter(([name, { title, missing, workloads }]) => {
    const isAsked = name === 'gateway' || names.includes(name)
    if (!isAsked || !workloads.some((workload) => asked.includes(workload))) return false
    const install = missing?.() ?? null
    if (install !== null) say(`${title} is left out. To measure it: ${install}`)
    return install === null
  })
  return Object.fromEntries(possible)
}

/** Puts the files of a commit into a temporary folder, with the packages of this one. */
function checkOut(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lookup-before-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

type MakeMeasure = (stores: Stores, seconds: number) => Measure

async function measure(options: Options, names: readonly string[], make: MakeMeasure): Promise<void> {
  const { against, users, rounds, seconds, json } = options
  const contenders: Contenders =
    against === undefined
      ? choose(options.contenders, names)
      : { before: gateway(`at ${against}`, checkOut(against)), now: gateway('this tree', root) }
  const needsPostgres = Object.values(contenders).some(({ isOverPostgres }) => isOverPostgres)
  const stores = await openStores(users, needsPostgres)
  const how = make(stores, seconds)
  const samples = await run(stores, await check(stores, contenders, names), rounds, how)
  const rows = rowsOf(samples, contenders)

  const machine = `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.versions.node}, ${generatorName}`
  const date = new Date().toISOString().slice(0, 10)
  const effort = `${users.toLocaleString('en')} users, ${rounds} rounds of ${seconds} s, median (least-most)`
  process.stdout.write(`\n${print(rows, how.columns, contenders)}\n\n${machine}; ${date}; ${effort}\n`)
  const written = { machine, date, options, columns: how.columns, samples }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(written, null, 2)}\n`)

  if (against === undefined) return
  const isCheap = (name: string) =>
    rows.some((row) => row.workload === name && row.contender === 'now' && medianOf(row.ratios) <= LIMIT)
  const dearer = names.filter((name) => !isCheap(name))
  if (dearer.length === 0) return
  process.stdout.write(`Dearer by more than 2 %, or not measured: ${dearer.join(', ')}\n`)
  process.exitCode = 1
}

const program = new Command('npm run bench --').description('Measures what a request costs.')
const command = (name: string, about: string) =>
  program
    .command(name, { isDefault: name === 'measure' })
    .description(about)
    .option('--users <n>', 'users and apps in the database', atLeast(100_000), 1_000_000)
const oneOf = (option: string, names: object) => new Option(option).choices(Object.keys(names))
const measureCommand = (name: string, about: string, seconds: number, contenders: readonly string[]) =>
  command(name, about)
    .option('--rounds <n>', 'in alternating order', atLeast(1), 3)
    .option('--seconds <n>', 'of each measurement', atLeast(1), seconds)
    .addOption(oneOf('--contenders <names...>', all).default(contenders, contenders.join(' ')))
    .option('--json <file>', 'also write the figures of each round')

command('generate', 'make the SQLite file that the other commands read').action(
  async ({ users }: Options) => void process.stdout.write(`${await provideFile(users)}\n`),
)
measureCommand('measure', 'CPU time per request, and requests per second', 4, Object.keys(all))
  .addOption(oneOf('--workloads <names...>', workloads).default(Object.keys(workloads), 'all'))
  .option('--against <ref>', 'compare with a commit; fails if a request is dearer by more than 2 %')
  .option('--connections <n>', 'of the load generator', atLeast(1), 16)
  .action((options: Options) =>
    measure(options, options.workloads, (...args) => cpuTime(...args, options.connections)),
  )
measureCommand('open-loop', 'latency at a fixed rate', 20, ['gateway', 'obvious'])
  .option('--rate <n>', 'requests per second, one in ten for 100 ids', atLeast(1), 1500)
  .action((options: Options) => measure(options, ['json-1'], (...args) => latency(...args, options.rate)))

await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
})
// Listeners of this event end servers that still run, and remove temporary files.
process.exit()
