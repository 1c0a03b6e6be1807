// Every link between pages leads somewhere: to a file that is there, and to a heading that it has.

import { existsSync, globSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { pages, readPage, root } from '../kit/documentation.ts'

const all = globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'deploy/**/*.md', 'examples/*/*.md'], {
  cwd: root,
  exclude: (path) => String(path).includes('node_modules'),
})

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (page: string) =>
  [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

test.for(all)('%s', (page) => {
  const text = readPage(page).replace(/```.*?```/gs, '')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  const broken = targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : normalize(join(dirname(page), path))
      if (!existsSync(join(root, file))) return true
      return anchor !== undefined && !anchorsOf(file).includes(anchor)
    })
  expect(broken).toEqual([])
})

test('the README names every page', () => {
  const named = [...readPage('README.md').matchAll(/\]\(docs\/([\w-]+\.md)\)/g)].map(([, file]) => file)
  const pages = globSync('*.md', { cwd: join(root, 'docs') })
  expect([...new Set(named)].toSorted()).toEqual(pages.toSorted())
})

test('every picture is shown on some page, described and small', () => {
  const shown = pages.flatMap((page) =>
    [...readPage(page).matchAll(/!\[([^\]]{20,})\]\((?:docs\/)?([^)]+\.png)\)/g)].map(([, , file]) => file),
  )
  const files = globSync('*.png', { cwd: join(root, 'docs') })
  expect([...new Set(shown)].toSorted()).toEqual(files.toSorted())
  for (const file of files) expect(statSync(join(root, 'docs', file)).size).toBeLessThan(80 * 1024)
})
