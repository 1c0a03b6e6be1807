import { expect, test } from 'vitest'
import { figuresOf, stackedBar } from '../../src/pages/figures.ts'

const part = (name: string, share: number) => ({
  ...{ name, share, value: `${share * 100} %`, detail: 'some' },
  fill: 'same' as const,
})
const widthsIn = (text: string) =>
  [...text.matchAll(/<rect [^>]*x="([\d.]+)%" width="([\d.]+)%"/g)].map(([, x, width]) => [
    Number(x),
    Number(width),
  ])

test('parts are as wide as their shares, and together as wide as the bar', () => {
  expect(widthsIn(stackedBar('All', [part('a', 0.75), part('b', 0), part('c', 0.25)]).text)).toEqual([
    [0, 75],
    [75, 25],
  ])
  expect(widthsIn(stackedBar('None', [part('a', 0)]).text)).toEqual([])
})

test('what is there at all is seen, however little it is', () => {
  const [[, most = 0] = [], [at = 0, least = 0] = []] = widthsIn(
    stackedBar('All', [part('a', 0.99999), part('b', 0.00001)]).text,
  )
  expect(least).toBeGreaterThan(0.9)
  expect(at + least).toBeCloseTo(100, 2)
  expect(at).toBeCloseTo(most, 2)
})

test('all of it is said in words, in the bar and below it, and texts are escaped', () => {
  const { text } = stackedBar('<All>', [part('"a"', 0.5), part('b', 0.5)])
  expect(text).toContain('aria-label="&lt;All&gt;: &quot;a&quot; 50 %, b 50 %"')
  expect(text).toContain('<strong>50 %</strong> <span>b</span> <small>some</small>')
  expect(figuresOf([{ value: '<1>', name: '<n>' }]).text).toContain(
    '<strong>&lt;1&gt;</strong> <span>&lt;n&gt;</span>',
  )
})
