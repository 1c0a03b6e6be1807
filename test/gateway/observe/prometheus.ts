const sample = /^([a-z_\d]+)(\{[^{}]*\})? (\S+)$/
const labels = /^\{[a-z_\d]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z_\d]+="(?:[^"\\\n]|\\["\\n])*")*\}$/
const suffix = /_(?:bucket|sum|count)$/

/**
 * Reads the Prometheus text format, and throws where it is not: every sample belongs to the metric announced
 * above it, none comes twice, and every histogram adds up.
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
      const metric = types.get(current) === 'histogram' ? name.replace(suffix, '') : name
      if (metric !== current || !types.has(metric)) throw new Error(`not a sample of ${current}: ${line}`)
      if (label !== '' && !labels.test(label)) throw new Error(`labels: ${line}`)
      // Of what it has not measured yet, the client says that it is no number.
      const unmeasured = value === 'Nan' && name.startsWith('nodejs_')
      if (!unmeasured && (value === '' || Number.isNaN(Number(value)))) throw new Error(`value: ${line}`)
      if (samples.has(name + label)) throw new Error(`twice: ${line}`)
      samples.set(name + label, Number(value))
    }
  }
  checkHistograms(samples)
  return samples
}

function checkHistograms(samples: ReadonlyMap<string, number>): void {
  let previous = { series: '', count: 0, bound: 0 }
  for (const [key, count] of samples) {
    const [, name = '', rest = '', le = ''] = /^(\w+)_bucket\{(.*?),?le="([^"]+)"\}$/.exec(key) ?? []
    if (name === '') continue
    const series = `${name} ${rest}`
    const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)
    const goesOn = series === previous.series
    if (goesOn && (count < previous.count || bound <= previous.bound)) throw new Error(`falling: ${key}`)
    if (le === '+Inf' && samples.get(`${name}_count${rest === '' ? '' : `{${rest}}`}`) !== count)
      throw new Error(`count of ${series}`)
    previous = { series, count, bound }
  }
}
