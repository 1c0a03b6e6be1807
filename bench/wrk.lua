-- The requests, for wrk. After `--`: a file of values, values per request, a seed, and the template.

local values, count, before, between, after = {}

function init(args)
  for line in io.lines(args[1]) do values[#values + 1] = line end
  count = tonumber(args[2])
  math.randomseed(tonumber(args[3]))
  before, between, after = args[4], args[5], args[6]
end

function request()
  local chosen = {}
  for index = 1, count do chosen[index] = values[math.random(#values)] end
  return before .. table.concat(chosen, between) .. after
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local result = 'RESULT {"requests":%d,"seconds":%f,"errors":%d}\n'
  io.write(string.format(result, summary.requests, summary.duration / 1e6, failed))
end
