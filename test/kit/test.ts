// The `test` of most files: a gateway over the sample data that a worker keeps, others with their own
// settings over the same rows, and folders to run commands in.

import { test as base, expect } from 'vitest'
import type { Given } from './dialect.ts'
import { filledFile, type Gateway, startGatewayOver, temporaryFolder } from './gateway.ts'
import { makeWorkplace } from './workplace.ts'

type Data = Parameters<typeof filledFile>[1]

export const test = base
  .extend('shared', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const folder = temporaryFolder()
    const { path } = await filledFile(`${folder.path}/shared.db`)
    const gateway = await startGatewayOver({ DATABASE_URL: `sqlite:${path}` })
    onCleanup(async () => {
      await gateway.close()
      folder.remove()
    })
    return { path, gateway }
  })
  /** A gateway with the default settings over the sample data. Do not change its rows. */
  .extend('gateway', async ({ shared: { gateway } }, { onCleanup }) => {
    gateway.observations.length = 0
    onCleanup(() => expect.poll(gateway.inFlight).toBe(0))
    return gateway
  })
  /** Starts gateways that the end of the test closes: over the shared rows, or over a copy of other ones. */
  .extend('withSettings', async ({ shared }, { onCleanup }) => {
    const opened: (() => Promise<void>)[] = []
    onCleanup(async () => {
      for (const close of opened.reverse()) await close()
    })
    return async (settings: Given = {}, data?: Data): Promise<Omit<Gateway, 'database'>> => {
      const folder = data === undefined ? null : temporaryFolder()
      if (folder !== null) opened.push(async () => folder.remove())
      const path = folder === null ? shared.path : (await filledFile(`${folder.path}/own.db`, data)).path
      const gateway = await startGatewayOver({ DATABASE_URL: `sqlite:${path}`, ...settings })
      opened.push(gateway.close)
      return gateway
    }
  })
  /** A folder to run commands in. */
  .extend('place', async ({}, { onCleanup }) => {
    const place = makeWorkplace()
    onCleanup(place.remove)
    return place
  })
