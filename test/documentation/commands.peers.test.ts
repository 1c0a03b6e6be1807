// Every command of the documentation is run, in the order of its page, and prints what the page says.

import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { blocksOf, pages, readPage, stepsOf } from '../kit/documentation.ts'
import { type Programs, unpackPrograms } from '../kit/postgres/programs.ts'
import { PostgresServer } from '../kit/postgres/server.ts'
import { need } from '../kit/programs.ts'
import { followPage, settled } from './follow-page.ts'

const isRun = (page: string) => blocksOf(readPage(page)).some(({ mark }) => mark === 'console')

need('php')
need('curl')

describe('the commands of', () => {
  let programs: Programs
  let server: PostgresServer
  beforeAll(async () => {
    programs = unpackPrograms()
    server = await PostgresServer.start(programs)
  })
  afterAll(async () => {
    await server.stop()
    rmSync(programs.home, { recursive: true })
  })

  test.for(pages.filter(isRun))('%s', { timeout: 240_000 }, async (page) => {
    const reader = await followPage(server)
    onTestFinished(reader.leave)
    const text = readPage(page)
    // A page that starts no gateway is read beside the one of the README.
    if (!/npm start\n```/.test(text)) await reader.startGateway('npm start')
    for (const { mark, block } of blocksOf(text)) {
      if (mark === 'console')
        for (const { command, output } of stepsOf(block))
          expect(await reader.run(command), command).toBe(settled(reader.here(output)))
      else if (block.includes('npm run old-service')) await reader.startOldService()
      else if (/npm start$/.test(block.trimEnd()) && !block.startsWith('export ')) {
        const welcome = await reader.startGateway(block.replace(/^npm install\n/, ''))
        const shown = /```\n(Lookup Service is running.*?)```/s.exec(text)?.[1]
        if (shown !== undefined) expect(welcome).toContain(reader.here(shown))
      }
    }
  })
})
