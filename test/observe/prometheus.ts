const sample = /^([a-z_\d]+)(\{[^{}]*\})? (\S+)$/
const labels = /^\{[a-z_\d]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z_\d]+="(?:[^"\\\n]|\\["\\n])*")*\}$/

/**
 * Reads the Prometheus text format. Throws if a sample does not belong to the metric announced above it, or
 * comes twice.
 * @returns the samples by name and labels, as written
 */
export function parsePrometheus(text: string): Map<string, number> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const samples = new Map<string, number>()
  const types = new Map<string, string>()
  let current = ''
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const help = /^# HELP ([a-z_\d]+) \S.*$/.exec(line)?.[1]
    const [, typed, type] = /^# TYPE ([a-z_\d]+) (counter|gauge|histogram)$/.exec(line) ?? []
    if (help !== undefined) current = help
    else if (typed !== undefined && type !== undefined) {
      if (typed !== current || types.has(typed)) throw new Error(`TYPE out of place: ${line}`)
      types.set(typed, type)
    } else {
      const [, name = '', label = '', value = ''] = sample.exec(line) ?? []
      const metric = types.get(current) === 'histogram' ? name.replace(/_(?:bucket|sum|count)$/, '') : name
      if (metric !== current || !types.has(metric)) throw new Error(`not a sample of ${current}: ${line}`)
      if (label !== '' && !labels.test(label)) throw new Error(`labels: ${line}`)
      // prom-client writes this for what it has not measured yet.
      const unmeasured = value === 'Nan' && name.startsWith('nodejs_')
      if (!unmeasured && (value === '' || Number.isNaN(Number(value)))) throw new Error(`value: ${line}`)
      if (samples.has(name + label)) throw new Error(`twice: ${line}`)
      samples.set(name + label, Number(value))
    }
  }
  return samples
}

/** One line of /metrics. */
interface Series {
  readonly metric: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export function readSeries(text: string): Series[] {
  return [...parsePrometheus(text)].map(([key, value]) => {
    const labels = [...key.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)]
    return {
      // `x_seconds` for `x_seconds_bucket`.
      metric: key.replace(/\{.*/, '').replace(/_(?:bucket|sum|count)$/, ''),
      labels: Object.fromEntries(labels.map(([, name = '', text = '']) => [name, text])),
      value,
    }
  })
}

/** The labels of each metric, in alphabetical order. */
export function labelsByMetric(series: readonly Series[]): Map<string, string[]> {
  const grouped = Map.groupBy(series, ({ metric }) => metric)
  return new Map(
    [...grouped].map(([metric, all]) => [
      metric,
      [...new Set(all.flatMap(({ labels }) => Object.keys(labels)))].filter((label) => label !== 'le').sort(),
    ]),
  )
}
