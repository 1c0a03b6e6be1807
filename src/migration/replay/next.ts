// What an operator can do after a replay: which settings to try, and what to compare next.

import { type Html, html } from '../../pages/html.ts'
import type { Setting } from '../../setting-kinds.ts'
import { settings } from '../../settings.ts'
import { counted, percent } from '../../text.ts'
import { withoutFix } from './labels.ts'
import type { ReplayReport } from './report.ts'

export function nextSteps(report: ReplayReport): Html {
  const { proven, total, tallies } = report
  const fixes = fixesIn(report)
  const hint = withoutFix(report)
  const steps = [
    ...(fixes.length === 0 ? [] : [trySettings(fixes)]),
    ...(hint === '' ? [] : [html`<p>${hint}</p>`]),
    ...(tallies.failed.requests + tallies.left.requests === 0
      ? []
      : [html`<p>Run the same command again: it sends the requests that failed or were not sent yet.</p>`]),
    ...(total.requests === 0 ? [html`<p>Set the path of the old service with <code>--path</code>.</p>`] : []),
    ...(proven
      ? [
          html`<p>Compare live requests (<code>SHADOW_URL</code>), then move the clients in steps (<code>CUTOVER_URL</code>).</p>`,
        ]
      : []),
  ]
  return html`<ol>${steps.map((step) => html`<li>${step}</li>\n`)}</ol>`
}

interface Fix {
  readonly name: string
  /** Causes that it is named for, and the traffic of the largest of them, from 0 to 1. */
  readonly causes: number
  readonly share: number
}

/** Those first that are named for most of the traffic. */
function fixesIn({ groups }: ReplayReport): readonly Fix[] {
  const found = new Map<string, Fix>()
  for (const { fixedBy, share } of groups)
    for (const name of fixedBy) {
      const { causes, share: most } = found.get(name) ?? { causes: 0, share: 0 }
      found.set(name, { name, causes: causes + 1, share: Math.max(most, share) })
    }
  return [...found.values()].toSorted((a, b) => b.share - a.share)
}

function trySettings(fixes: readonly Fix[]): Html {
  const rows = new Map<string, Setting>(Object.values(settings).map((row) => [row.name, row]))
  const items = fixes.map(
    ({
      name,
      causes,
      share,
    }) => html`<li><p><strong><code>${name}</code></strong> ${reachOf(causes, share)}</p>
<p class="faint">Sets ${rows.get(name)?.purpose ?? ''}. Allowed: ${rows.get(name)?.allowed ?? ''}.</p></li>
`,
  )
  return html`<p>Try these settings of the gateway one at a time, and replay after each. <code>lookup probe</code> finds their values.</p>
<ul class="settings">${items}</ul>`
}

const reachOf = (causes: number, share: number) =>
  causes === 1
    ? `for ${percent(share)} of the traffic`
    : `for ${counted(causes, 'cause')}, the largest with ${percent(share)} of the traffic`
