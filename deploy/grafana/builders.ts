// A panel as Grafana has it.

import {
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  SortOrder,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import { ThresholdsConfigBuilder, ThresholdsMode } from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import { createMetrics } from '../../src/gateway/observe/metrics.ts'
import type { Figure, Panel } from './panel.ts'
import { metricOf, namedIn } from './promql.ts'

/** Whichever Prometheus is chosen in the dashboard. */
export const datasource = { type: 'prometheus', uid: '$datasource' }

export function stat(figure: Figure, width: number): StatBuilder {
  const steps = [
    { value: null, color: 'green' },
    ...(figure.red === null ? [] : [{ value: figure.red, color: 'red' }]),
  ]
  return show(new StatBuilder(), figure, width)
    .height(4)
    .thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps))
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
}

export function graph(panel: Panel, width: number): TimeseriesBuilder {
  const legend = new VizLegendOptionsBuilder()
    .showLegend(true)
    .displayMode(LegendDisplayMode.List)
    .placement(LegendPlacement.Bottom)
  return show(new TimeseriesBuilder(), panel, width)
    .height(8)
    .fillOpacity(10)
    .legend(legend)
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending))
}

function show<Builder extends StatBuilder | TimeseriesBuilder>(
  builder: Builder,
  panel: Panel,
  width: number,
): Builder {
  const targets = Object.entries(panel.queries).map(([legend, query], index) =>
    new DataqueryBuilder()
      .refId(String.fromCharCode(65 + index))
      .datasource(datasource)
      .expr(query)
      .legendFormat(legend)
      .range(),
  )
  builder
    .title(panel.title)
    .description(`${panel.description}\n\n${sourcesOf(panel)}`)
    .datasource(datasource)
    .unit(panel.unit)
    .min(0)
    .targets(targets)
    .span(width)
  if (panel.max !== undefined) builder.max(panel.max)
  return builder
}

/** What each metric says of itself. */
const help = new Map(
  (await createMetrics().read({ inFlight: 0, storeReady: true })).map((metric) => [metric.name, metric.help]),
)

/** What a panel is made of, for operators who do not read PromQL. */
function sourcesOf({ title, queries }: Panel): string {
  const names = Object.values(queries).flatMap((query) => [...namedIn(query).metrics].map(metricOf))
  const sources = [...new Set(names)].map((name) => {
    const about = help.get(name)
    if (about === undefined) throw new Error(`"${title}" shows ${name}, which is no metric`)
    return `- \`${name}\`: ${about}`
  })
  return sources.join('\n')
}
