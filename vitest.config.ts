import { configDefaults, defineConfig } from 'vitest/config'

const tiers = '**/*.{engines,peers,faults,nightly}.test.ts'
/** The tests of a tier that needs more than `npm test` has: CONTRIBUTING.md describes the tiers. */
const named = (name: string) => ({ name, include: [`test/**/*.${name}.test.ts`] })
const databases = { globalSetup: ['test/kit/databases.ts'] }

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
          exclude: [...configDefaults.exclude, tiers],
        },
      },
      { extends: true, test: { ...named('engines'), ...databases } },
      // Several browsers at once sometimes show nothing for 30 s, though the gateway has sent its response.
      { extends: true, test: { ...named('peers'), retry: 2 } },
      // A fault is timed while other programs may need the machine: one failure is tried again, and shown.
      { extends: true, test: { ...named('faults'), ...databases, retry: 1, testTimeout: 120_000 } },
      { extends: true, test: { ...named('nightly'), ...databases } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.generated.ts'],
      reporter: ['text'],
    },
  },
})
