-- Decides calls in the order in which they arrived, each against all windows of all its subjects.
--
-- KEYS     the subjects, one key each
-- ARGV[1]  JSON {"windows": [[[name, lengthMs, limit], ...], ...], "calls": [[timeMs, subject, windows, ...], ...]}
--          a call names its subjects by their positions in KEYS, each followed by the position of its windows in
--          "windows"; timeMs is false to use the clock of this Redis
-- returns  five integers for each call: 1 if it is allowed, else 0; the position of the tightest window among all
--          windows of the call; how many more calls fit that window; when that number grows (Unix ms); how long that
--          is from now (ms)
--
-- The rules are those of CallHistory, where they are explained. The value of a subject holds the version of its
-- format, the time of the subject's last call and each of its windows: a head, and up to 64 cells of a time and a
-- count. A refused call adds no count. Nothing is written before all calls are decided, so that an error leaves no
-- part of a batch behind.

local VERSION = 1
local HEAD = '<BI6I6I6I6I6I6I2'
local CELL = '<I6I6'
local CELL_BYTES = 12
local CELLS_MAX = 64
local CELLS_PER_WINDOW = 60
-- A call of one replica can be a little late behind those of another, but never this long: a time that lies further
-- back than this means that a clock was set back.
local CLOCK_STEP_BACK_MS_MIN = 300000
local KEPT_LONGER_MS = 60000

local pack, unpack = struct.pack, struct.unpack
local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min

local function redisTimeMs()
  local time = redis.call('TIME')
  return time[1] * 1000 + floor(time[2] / 1000)
end

-- A value in another format, or one that somebody else wrote, counts as no value.
local function load(key)
  local raw = redis.pcall('GET', key)
  local subject = { key = key, latestMs = 0, histories = {} }
  if type(raw) ~= 'string' or string.byte(raw) ~= VERSION then
    return subject
  end
  local position
  subject.latestMs, position = unpack('<I6', raw, 2)
  while position <= #raw do
    local h, name, bytes = { first = 1 }
    name, h.lengthMs, h.limitHighest, h.lengthShortestMs, h.forgotten, h.forgottenLastMs, h.counted, bytes, position =
      unpack(HEAD, raw, position)
    h.cells = string.sub(raw, position, position + bytes - 1)
    subject.histories[name] = h
    position = position + bytes
  end
  return subject
end

local function save(subject)
  local parts, keptMs = { pack('<BI6', VERSION, subject.latestMs) }, 0
  for name, h in pairs(subject.histories) do
    local cells = string.sub(h.cells, h.first)
    parts[#parts + 1] = pack(HEAD, name, h.lengthMs, h.limitHighest, h.lengthShortestMs, h.forgotten,
      h.forgottenLastMs, h.counted, #cells)
    parts[#parts + 1] = cells
    keptMs = max(keptMs, h.lengthMs)
  end
  redis.call('SET', subject.key, table.concat(parts), 'PX', keptMs + KEPT_LONGER_MS)
end

-- Moves all times of a subject back.
local function shiftBack(subject, byMs)
  for _, h in pairs(subject.histories) do
    local cells = {}
    for position = h.first, #h.cells, CELL_BYTES do
      local timeMs, count = unpack(CELL, h.cells, position)
      cells[#cells + 1] = pack(CELL, max(0, timeMs - byMs), count)
    end
    h.cells, h.first = table.concat(cells), 1
    h.forgottenLastMs = max(0, h.forgottenLastMs - byMs)
  end
end

-- Sets the time at which a call counts for a subject. It never runs backwards: a call that is a little late counts as
-- made at the subject's latest time. When a clock was set back, the counted calls are moved back with it; otherwise
-- the windows would stay closed until the clock has caught up.
local function bringForward(subject, timeMs)
  local behindMs = subject.latestMs - timeMs
  if behindMs > CLOCK_STEP_BACK_MS_MIN then
    shiftBack(subject, behindMs)
    subject.latestMs = timeMs
    subject.isChanged = true
  end
  subject.nowMs = max(subject.latestMs, timeMs)
end

-- When the list of cells is full, joins the two oldest cells.
local function makeSpace(h)
  if #h.cells - h.first + 1 < CELLS_MAX * CELL_BYTES then
    return
  end
  local _, older = unpack(CELL, h.cells, h.first)
  local timeMs, count = unpack(CELL, h.cells, h.first + CELL_BYTES)
  h.cells = pack(CELL, timeMs, older + count) .. string.sub(h.cells, h.first + 2 * CELL_BYTES)
  h.first = 1
end

local function remember(h, lengthMs)
  local again = min(h.forgotten, h.limitHighest * ceil(lengthMs / h.lengthShortestMs))
  if again == 0 then
    return
  end
  makeSpace(h)
  h.cells = pack(CELL, h.forgottenLastMs, again) .. string.sub(h.cells, h.first)
  h.first = 1
  h.counted = h.counted + again
  h.forgotten = h.forgotten - again
end

-- The history of one window of a subject, brought to the present.
local function historyOf(subject, name, lengthMs, limit)
  local h = subject.histories[name]
  if not h then
    h = { lengthMs = lengthMs, limitHighest = limit, lengthShortestMs = lengthMs,
      forgotten = 0, forgottenLastMs = 0, counted = 0, cells = '', first = 1 }
    subject.histories[name] = h
  elseif lengthMs > h.lengthMs then
    remember(h, lengthMs)
  end
  h.limit, h.lengthMs = limit, lengthMs
  h.limitHighest, h.lengthShortestMs = max(h.limitHighest, limit), min(h.lengthShortestMs, lengthMs)
  while h.first <= #h.cells do
    local timeMs, count, after = unpack(CELL, h.cells, h.first)
    if timeMs + lengthMs > subject.nowMs then
      break
    end
    h.forgotten, h.forgottenLastMs = h.forgotten + count, timeMs
    h.counted, h.first = h.counted - count, after
  end
  return h
end

local function add(h, nowMs)
  h.counted = h.counted + 1
  if h.limit > CELLS_MAX and h.first <= #h.cells then
    local cellMs = ceil(h.lengthMs / CELLS_PER_WINDOW)
    local timeMs, count = unpack(CELL, h.cells, #h.cells - CELL_BYTES + 1)
    if floor(timeMs / cellMs) == floor(nowMs / cellMs) then
      h.cells = string.sub(h.cells, 1, -CELL_BYTES - 1) .. pack(CELL, nowMs, count + 1)
      return
    end
  end
  makeSpace(h)
  h.cells = h.cells .. pack(CELL, nowMs, 1)
end

local function growsAtMs(h)
  local toLeave, left, position = max(1, h.counted - h.limit + 1), 0, h.first
  local timeMs, count
  repeat
    timeMs, count, position = unpack(CELL, h.cells, position)
    left = left + count
  until left >= toLeave
  return timeMs + h.lengthMs
end

local plan = cjson.decode(ARGV[1])
local subjects, verdicts, ownTimeMs = {}, {}, nil

local function subjectAt(position, timeMs)
  local subject = subjects[position]
  if not subject then
    subject = load(KEYS[position])
    subjects[position] = subject
  end
  bringForward(subject, timeMs)
  return subject
end

local function decide(call)
  local timeMs = call[1]
  if not timeMs then
    ownTimeMs = ownTimeMs or redisTimeMs()
    timeMs = ownTimeMs
  end
  local touched, owners, smallest = {}, {}, math.huge
  for index = 2, #call, 2 do
    local subject = subjectAt(call[index], timeMs)
    for _, window in ipairs(plan.windows[call[index + 1]]) do
      local h = historyOf(subject, window[1], window[2], window[3])
      touched[#touched + 1], owners[#touched + 1] = h, subject
      smallest = min(smallest, max(0, h.limit - h.counted))
    end
  end
  local isAllowed = smallest > 0
  if isAllowed then
    smallest = smallest - 1
    for index, h in ipairs(touched) do
      local subject = owners[index]
      add(h, subject.nowMs)
      subject.latestMs, subject.isChanged = subject.nowMs, true
    end
  end
  -- The tightest window: of those with the least room, the one whose room grows last.
  local tightest, tightestGrowsAtMs = 0, -math.huge
  for index, h in ipairs(touched) do
    if max(0, h.limit - h.counted) == smallest then
      local grows = growsAtMs(h)
      if grows > tightestGrowsAtMs then
        tightest, tightestGrowsAtMs = index, grows
      end
    end
  end
  local verdict = #verdicts
  verdicts[verdict + 1], verdicts[verdict + 2] = isAllowed and 1 or 0, tightest
  verdicts[verdict + 3], verdicts[verdict + 4] = smallest, tightestGrowsAtMs
  verdicts[verdict + 5] = tightestGrowsAtMs - owners[tightest].nowMs
end

for _, call in ipairs(plan.calls) do
  decide(call)
end
for _, subject in pairs(subjects) do
  if subject.isChanged then
    save(subject)
  end
end
return verdicts
