import { faultsInDocuments } from '../../documents/document-faults';
import type { TestService } from '../../api/service';
import { faultsInTasks } from '../../tasks/task-faults';
import type { TaskLoad } from '../../tasks/task-load';
import type { TaskWatch } from '../../tasks/task-watch';
import type { RoomLoad } from '../room-load';
import type { SoakCall } from '../soak-calls';
import type { Check } from './check';

type Database = TestService['database'];

/** Each task has ended, once, and is charged as it says. */
export async function checkTasks(
  { database }: TestService,
  load: TaskLoad,
  watch: TaskWatch,
): Promise<Check> {
  const submissions: unknown[] = await database.query(
    `SELECT id FROM ledger_entries WHERE type = 'charge' AND description = 'submitTask' AND account_id = ANY($1)`,
    [load.accountIds],
  );
  const known = new Set(load.told);
  const unknown = [...watch.seen.keys()].filter((id) => !known.has(id));
  return {
    name: 'each task has ended, once, charged as it says',
    figure: `${await byStatus(database, 'tasks')}; ${watch.looks} looks`,
    faults: [
      ...load.faults,
      ...watch.faults,
      ...(known.size === load.told.length ? [] : ['two submissions were told of one task']),
      ...load.told.filter((id) => !watch.seen.has(id)).map((id) => `task ${id} is not listed`),
      ...unknown.map((id) => `nobody was told of task ${id}`),
      ...(submissions.length === load.told.length
        ? []
        : [`${submissions.length} submissions were charged, ${load.told.length} answered`]),
      ...(await faultsInTasks(database)),
    ],
  };
}

/** @param mixed of which none processes a document that failed */
export async function checkDocuments(
  { database }: TestService,
  mixed: readonly Pick<SoakCall, 'operation' | 'requestId' | 'request'>[],
): Promise<Check> {
  const calls = mixed.filter(({ operation }) => operation === 'processDocument');
  const twice: { id: string; count: string }[] = await database.query(PROCESSED_TWICE, [
    calls.map(({ requestId }) => requestId),
    calls.map(({ request }) => request.params?.doc_id),
  ]);
  return {
    name: 'each document has ended, indexed as a whole, processed and charged once',
    figure: await byStatus(database, 'documents'),
    faults: [...(await faultsInDocuments(database)), ...twice.map((row) => JSON.stringify(row))],
  };
}

/** The accounts of batches are charged for just the items that the answers of their batches name. */
export async function checkBatches(
  { database }: TestService,
  accounts: readonly { id: string }[],
  mixed: readonly SoakCall[],
): Promise<Check> {
  const calls = mixed.filter(({ operation }) => operation === 'runOmmBatch');
  const answers = new Map(
    calls.filter(({ status }) => status === 200).map(({ order, body }) => [order.idempotencyKey, body]),
  );
  const keys = new Set(calls.map(({ order }) => order.idempotencyKey));
  const items = [...answers.values()].flatMap((body) => (JSON.parse(body) as BatchAnswer).data.results);
  const told = items
    .filter(({ cost }) => cost > 0)
    .map((item) => `${item.request_id} ${Math.round(item.cost * 1e9)}`);
  const rows: { id: string; charged: string }[] = await database.query(
    'SELECT request_id AS id, charged_nano AS charged FROM calls WHERE account_id = ANY($1) AND charged_nano > 0',
    [accounts.map(({ id }) => id)],
  );
  const charged = rows.map((row) => `${row.id} ${row.charged}`);
  return {
    name: 'each item of a batch is charged once, as the batch says',
    figure: `${keys.size} batches in ${calls.length} calls, ${answers.size} answered, ${items.length} items`,
    faults: [
      ...[...keys].filter((key) => !answers.has(key)).map((key) => `batch ${key} was never answered`),
      ...differences(told, charged).map((item) => `told, but not charged: ${item}`),
      ...differences(charged, told).map((item) => `charged, but not told: ${item}`),
    ],
  };
}

/** Every member of a room has heard the same under the same number, without a gap, and what it said is there. */
export function checkRooms(rooms: RoomLoad): Check {
  const faults = rooms.members.flatMap((member) => member.faults);
  const said = new Map<string, string>();
  for (const { heard, name } of rooms.members) {
    const room = name.split('-')[0] ?? '';
    for (const [seq, data] of heard) {
      const before = said.get(`${room} ${seq}`);
      if (before !== undefined && before !== data) {
        faults.push(`${room} ${seq} is ${before} to one and ${data} to another`);
      }
      said.set(`${room} ${seq}`, data);
    }
  }
  const texts = [...said.values()];
  if (new Set(texts).size !== texts.length) {
    faults.push(`${texts.length - new Set(texts).size} messages were stored twice`);
  }
  const acknowledged = rooms.members.flatMap((member) =>
    [...member.acknowledged].map(([id, seq]) => ({
      id,
      seq,
      room: member.name.split('-')[0] ?? '',
      by: member.name,
    })),
  );
  for (const { by, id, room, seq } of acknowledged) {
    const data = said.get(`${room} ${seq}`);
    const count = Number(id.slice(by.length + 1));
    if (data !== undefined && data !== JSON.stringify({ by, count })) {
      faults.push(`${id} was acknowledged as ${seq}, which is ${data}`);
    }
  }
  const unheard = acknowledged.filter(({ room, seq }) => !said.has(`${room} ${seq}`)).length;
  const resets = rooms.members.reduce((sum, member) => sum + member.resets, 0);
  return {
    name: 'rooms: one order for all members, without gaps',
    figure:
      `${texts.length} messages and updates, ${acknowledged.length} messages acknowledged, ${rooms.visits} visits, ` +
      `${resets} whole states in place of what was missed`,
    faults: [
      ...faults,
      ...(unheard > 0 && resets === 0 ? [`${unheard} acknowledged messages were never heard`] : []),
    ],
  };
}

/** How many tasks or documents are still on their way. */
export async function unfinishedWork({ database }: TestService): Promise<number> {
  const [row]: { count: number }[] = await database.query(
    `SELECT (SELECT count(*) FROM tasks WHERE stage <> 'over')::integer
      + (SELECT count(*) FROM documents WHERE stage <> 'idle' OR status = 'processing')::integer AS count`,
  );
  return row?.count ?? -1;
}

const PROCESSED_TWICE = `
  SELECT given.id, count(*) FROM unnest($1::text[], $2::text[]) AS given (request_id, id)
  JOIN calls AS c ON c.client_request_id = given.request_id AND c.charged_nano > 0
  GROUP BY given.id HAVING count(*) > 1`;

interface BatchAnswer {
  data: { results: { request_id: string; cost: number }[] };
}

async function byStatus(database: Database, table: 'tasks' | 'documents'): Promise<string> {
  const found: { status: string; attempts: number; count: string }[] = await database.query(
    `SELECT status, attempts, count(*) FROM ${table} GROUP BY status, attempts ORDER BY status, attempts`,
  );
  return found.map((row) => `${row.count} ${row.status} at attempt ${row.attempts}`).join(', ');
}

/** What is in one and not, or less often, in the other. */
function differences(one: readonly string[], other: readonly string[]): string[] {
  const rest = new Map<string, number>();
  other.forEach((item) => rest.set(item, (rest.get(item) ?? 0) + 1));
  return one.filter((item) => {
    const left = rest.get(item) ?? 0;
    rest.set(item, left - 1);
    return left <= 0;
  });
}
