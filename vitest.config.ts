import { configDefaults, defineConfig } from 'vitest/config'

/**
 * Tests of files that are not yet named by their tier. They measure time or memory, or kill processes and
 * servers: one at a time.
 */
const faults = [
  'test/faults/**/*.test.ts',
  'test/work/**/*.test.ts',
  'test/cluster/restart.test.ts',
  'test/cluster/signals.test.ts',
  'test/cluster/workers.test.ts',
  'test/operations/faults.test.ts',
  'test/deploy/cluster.test.ts',
  'test/deploy/systemd-run.test.ts',
  'test/terminal/progress.test.ts',
  'test/gateway/graphql/floods.test.ts',
  'test/gateway/graphql/outage.test.ts',
  'test/gateway/http/backpressure.test.ts',
  'test/gateway/http/deaf.test.ts',
  'test/gateway/http/drain.test.ts',
  'test/gateway/http/overload.test.ts',
  'test/gateway/http/request-timeouts.test.ts',
  'test/gateway/http/slow.test.ts',
  'test/migration/access-log/bombs.test.ts',
  'test/migration/cutover/dial.test.ts',
  'test/migration/cutover/slow-readers.test.ts',
  'test/stores/servers/servers.test.ts',
  'test/stores/servers/table-probe.test.ts',
]

/** The same of tests that start many other programs. */
const integration = [
  'test/cluster/**/*.test.ts',
  'test/config-secrets.test.ts',
  'test/deploy/{proxy*,systemd}.test.ts',
  'test/documentation/commands.test.ts',
  'test/gateway/pages/**/*.test.ts',
  'test/migration/copy/**/*.test.ts',
  'test/migration/front.test.ts',
  'test/migration/probe/**/*.test.ts',
  'test/migration/replay/**/*.test.ts',
  'test/migration/shadow/**/*.test.ts',
  'test/operations/browser.test.ts',
  'test/pages/{bounds,reports}.test.ts',
  'test/stores/mysql/**/*.test.ts',
  'test/stores/postgres/**/*.test.ts',
  'test/stores/servers/**/*.test.ts',
]

const tiers = '**/*.{engines,peers,faults,nightly}.test.ts'
const named = (tier: string, exclude: string[] = []) => ({
  name: tier,
  include: [`test/**/*.${tier}.test.ts`],
  exclude: [...configDefaults.exclude, ...exclude],
})
const databases = { globalSetup: ['test/kit/postgres/setup.ts'] }

export default defineConfig({
  test: {
    // Tests load modules as the product does: by Node itself, with its type stripping.
    experimental: { viteModuleRunner: false },
    // Files of a worker share its process and its modules. A file would load some 270 modules anew.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A busy machine takes longer than the usual second.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, tiers, ...faults, ...integration],
        },
      },
      { extends: true, test: { ...named('engines'), ...databases } },
      { extends: true, test: named('peers') },
      { extends: true, test: { ...named('faults'), ...databases } },
      { extends: true, test: { ...named('nightly'), ...databases } },
      {
        extends: true,
        test: {
          name: 'integration',
          ...databases,
          isolate: true,
          include: integration,
          exclude: [...configDefaults.exclude, tiers, ...faults],
        },
      },
      {
        extends: true,
        test: {
          name: 'old-faults',
          ...databases,
          isolate: true,
          include: faults,
          exclude: [...configDefaults.exclude, tiers],
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.generated.ts'],
      reporter: ['text'],
    },
  },
})
