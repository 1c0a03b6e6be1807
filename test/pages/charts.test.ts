import { expect, test } from 'vitest'
import { barChart } from '../../src/pages/charts.ts'

const chart = (points: readonly (readonly [string, number])[], title = 'Clients a day') =>
  barChart({
    title,
    label: 'day',
    unit: 'clients',
    points: points.map(([label, value]) => ({ label, value })),
  }).text

test('a bar for each point, as high as its value, and the same figures in a table', () => {
  const drawn = chart([
    ['2026-11-01', 4],
    ['2026-11-02', 0],
    ['2026-11-03', 1],
  ])
  expect([...drawn.matchAll(/<rect [^>]*height="([\d.]+)%"/g)].map(([, height]) => Number(height))).toEqual([
    100, 0, 25,
  ])
  expect([...drawn.matchAll(/<td class="number">(\d+)<\/td>/g)].map(([, value]) => Number(value))).toEqual([
    4, 0, 1,
  ])
  const said = '4 clients at first, 1 at last, 4 at most.'
  expect(drawn).toContain(`role="img" aria-label="Clients a day, from 2026-11-01 to 2026-11-03: ${said}"`)
  expect(drawn).toContain(`<p>2026-11-01 to 2026-11-03: ${said}</p>`)
  expect(drawn).toContain('<span>2026-11-01</span><span>2026-11-03</span>')
})

test('nothing is drawn of nothing, and zeros have no height', () => {
  expect(chart([])).toBe('')
  expect(chart([['a', 0]])).toContain('height="0%"')
})

test.each([
  [1, 1],
  [3, 4],
  [7, 8],
  [9, 10],
  [17, 20],
  [60, 60],
  [999, 1000],
])('a scale for %i ends at %i', (highest, top) => {
  expect(chart([['a', highest]])).toContain(`<span>${top.toLocaleString('en')}</span>`)
})

test('texts are escaped, and there is neither a script nor a style', () => {
  const drawn = chart([['"><script>alert(1)</script>', 1]], '</title><script>')
  expect(drawn).not.toMatch(/<script|style=|\son\w+=/)
})
