// A bar chart as SVG, for light and dark pages: processor time per request, the shorter the better. Each
// workload has a scale of its own.

import type { Row } from './report.ts'
import { workloads } from './workloads.ts'

const WIDTH = 720
const LABELS = 190
const NUMBERS = 70
const LINE = 20

const style = `text { font: 13px system-ui, sans-serif; fill: #1f2328; } .title { font-weight: 600; }
rect { fill: #9aa4af; } .ours { fill: #1a7f5a; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } rect { fill: #6b7681; } .ours { fill: #3fb68b; } }`

export function drawChart(rows: readonly Row[]): string {
  const groups = Map.groupBy(
    rows.filter((row) => row.cell.users === 1_000_000 && row.cell.workload !== 'json-1-wide'),
    (row) => row.cell.workload,
  )
  const shapes: string[] = []
  let top = 0
  for (const [workload, members] of groups) {
    // What is compared with another workload has no bar to stand beside.
    if (members.length === 1) continue
    const longest = Math.max(...members.map((row) => row.cpu.median))
    shapes.push(`<text class="title" x="0" y="${top + 16}">${workloads[workload].title}</text>`)
    top += LINE + 4
    for (const { cell, title, cpu } of members) {
      const length = Math.round(((WIDTH - LABELS - NUMBERS) * cpu.median) / longest)
      const ours = cell.contender === 'gateway' ? ' class="ours"' : ''
      shapes.push(
        `<text x="${LABELS - 8}" y="${top + 14}" text-anchor="end">${title}</text>`,
        `<rect${ours} x="${LABELS}" y="${top + 3}" width="${length}" height="${LINE - 6}" rx="2"/>`,
        `<text x="${LABELS + length + 6}" y="${top + 14}">${formatCpu(cpu.median)}</text>`,
      )
      top += LINE
    }
    top += 10
  }
  const title = 'Processor time per request; shorter is better'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" role="img">`,
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    ...shapes,
    '</svg>\n',
  ].join('\n')
}

const formatCpu = (cpu: number): string => `${cpu < 100 ? cpu.toFixed(1) : Math.round(cpu)} µs`
