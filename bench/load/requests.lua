-- The requests, for wrk. After `--`: format (json, xml, graphql, postgraphile), ids per request, users in the database,
-- size of the hot set (0 for none: uniformly random ids), seed.

local format, count, users, hot
local head, tail

function init(args)
  format, count, users, hot = args[1], tonumber(args[2]), tonumber(args[3]), tonumber(args[4])
  math.randomseed(tonumber(args[5]))
  head = "GET /?Event=ProfileLookup&Users="
  tail = (format == "xml" and "&Format=XML" or "") .. " HTTP/1.1\r\nHost: localhost\r\n\r\n"
end

local function id()
  -- Nine of ten requests ask for a few users; these are spread over the whole table.
  if hot > 0 and math.random(10) > 1 then return math.random(hot) * math.floor(users / hot) end
  return math.random(users)
end

local query = "query Users($values: [String!]!) { users(by: ID, values: $values) " ..
  "{ id username displayName rank joinDate isConfirmed banned } }"

-- What PostGraphile makes of the table, under the names of our schema.
local query_of_table = "query User($id: BigInt!) { user: userByRowId(rowId: $id) " ..
  "{ id: rowId username displayName rank joinDate isConfirmed banned } }"

local function post(query, variables)
  local body = '{"query":"' .. query .. '","variables":' .. variables .. '}'
  return "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n" ..
    "Content-Type: application/json\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body
end

function request()
  local ids = {}
  for index = 1, count do ids[index] = id() end
  if format == "graphql" then return post(query, '{"values":["' .. table.concat(ids, '","') .. '"]}') end
  if format == "postgraphile" then return post(query_of_table, '{"id":"' .. ids[1] .. '"}') end
  return head .. table.concat(ids, ":") .. tail
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"errors":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
