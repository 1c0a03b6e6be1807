-- The requests, for wrk. After `--`: format (json, xml, mix, graphql, postgraphile), ids per request, users in the database,
-- size of the hot set (0 for none: uniformly random ids), seed, Accept-Encoding (identity for none); and for the request of
-- a client: lines of headers; for GraphQL, with ["1"] where the ids belong, method, target, body.

local format, count, users, hot
local head, tail, encoding
local client

function init(args)
  format, count, users, hot = args[1], tonumber(args[2]), tonumber(args[3]), tonumber(args[4])
  math.randomseed(tonumber(args[5]))
  encoding = args[6] == "identity" and "" or "Accept-Encoding: " .. args[6] .. "\r\n"
  if args[8] then client = { headers = args[7], method = args[8], target = args[9], body = args[10] } end
  head = "GET /?Event=ProfileLookup&Users="
  tail = " HTTP/1.1\r\nHost: localhost\r\n" .. encoding .. (args[7] or "") .. "\r\n"
end

local function id()
  -- Nine of ten requests ask for a few users; these are spread over the whole table.
  if hot > 0 and math.random(10) > 1 then return math.random(hot) * math.floor(users / hot) end
  return math.random(users)
end

-- As often as the logs of communities have it: the first user is asked for twice as often as the second and a
-- thousand times as often as the thousandth (Zipf's law); the order of users says nothing about that. One in
-- twenty is not there.
local function id_of_mix()
  if math.random(20) == 1 then return users + math.random(users) end
  local rank = math.floor(users ^ math.random())
  return (rank * 7919) % users + 1
end

-- Six of ten requests ask for one user, three for up to ten, one for up to forty.
local function length_of_mix()
  local kind = math.random(10)
  if kind <= 6 then return 1 end
  return kind <= 9 and math.random(2, 10) or math.random(11, 40)
end

local function request_of_mix()
  local ids = {}
  for index = 1, length_of_mix() do ids[index] = id_of_mix() end
  -- One in five asks for XML.
  return head .. table.concat(ids, ":") .. (math.random(5) == 1 and "&Format=XML" or "") .. tail
end

local query = "query Users($values: [String!]!) { users(by: ID, values: $values) " ..
  "{ id username displayName rank joinDate isConfirmed banned } }"

-- What PostGraphile makes of the table, under the names of our schema.
local query_of_table = "query User($id: BigInt!) { user: userByRowId(rowId: $id) " ..
  "{ id: rowId username displayName rank joinDate isConfirmed banned } }"

local function post(query, variables)
  local body = '{"query":"' .. query .. '","variables":' .. variables .. '}'
  return "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n" ..
    encoding .. "Content-Type: application/json\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body
end

-- What is before and behind the place of the ids; patterns of Lua would mean something by most characters.
local function with_ids(text, before, between, behind, ids)
  local from, to = string.find(text, before .. "1" .. behind, 1, true)
  if not from then return text end
  return text:sub(1, from - 1) .. before .. table.concat(ids, between) .. behind .. text:sub(to + 1)
end

local function recorded(ids)
  local target = with_ids(client.target, "%5B%22", "%22%2C%22", "%22%5D", ids)
  local body = with_ids(client.body, '["', '","', '"]', ids)
  local length = client.method == "POST" and "Content-Length: " .. #body .. "\r\n" or ""
  return client.method .. " " .. target .. " HTTP/1.1\r\nHost: localhost\r\n" .. client.headers .. length .. "\r\n" .. body
end

function request()
  if format == "mix" then return request_of_mix() end
  local ids = {}
  for index = 1, count do ids[index] = id() end
  if format == "graphql" and client then return recorded(ids) end
  if format == "graphql" then return post(query, '{"values":["' .. table.concat(ids, '","') .. '"]}') end
  if format == "postgraphile" then return post(query_of_table, '{"id":"' .. ids[1] .. '"}') end
  return head .. table.concat(ids, ":") .. (format == "xml" and "&Format=XML" or "") .. tail
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"errors":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
