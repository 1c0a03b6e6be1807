import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Tests load modules as the product does: by Node itself, with its type stripping.
    experimental: { viteModuleRunner: false },
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres/setup.ts'],
    // Most tests wait for something most of the time, so that two at once fit on two processors.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes sooner or later: on a busy machine, later than the usual second.
    expect: { poll: { timeout: 15_000 } },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.generated.ts'],
      reporter: ['text'],
    },
  },
})
