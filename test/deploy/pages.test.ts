// The pages about where the gateway runs.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings } from '../../src/settings.ts'
import { root } from './systemd.ts'

const pages = [
  'docs/deploy.md',
  'docs/deploy-systemd.md',
  'docs/deploy-kubernetes.md',
  'examples/connectors/README.md',
  'examples/federation/README.md',
  'examples/frontend/README.md',
]

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8')

  test('links to what is there', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(0)
    for (const link of links.filter((each) => !each.startsWith('https://')))
      expect(existsSync(join(root, dirname(page), link)), link).toBe(true)
  })

  test('says what was not tested, where not all was', () => {
    if (page.startsWith('docs/')) expect(text).toMatch(/^Not tested: |Not tested: /m)
  })
})

test('the options of docker run are those of the image, and settings', () => {
  const text = readFileSync(join(root, 'docs/deploy.md'), 'utf8').replaceAll(/ \\\n */g, ' ')
  const runs = text.split('\n').filter((line) => line.startsWith('docker run '))
  expect(runs).toHaveLength(2)
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const [, ...exposed] = /^EXPOSE (\d+) (\d+)$/m.exec(image) ?? []
  for (const line of runs) {
    const ports = [...line.matchAll(/--publish 127\.0\.0\.1:\d+:(\d+) /g)].map(([, port]) => port)
    expect(ports).toEqual([exposed[0]])
    for (const [, name = ''] of line.matchAll(/--env (\w+)=/g)) expect(settings).toHaveProperty(name)
  }
})
