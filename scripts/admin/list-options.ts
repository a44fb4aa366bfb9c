import { Option, type Command } from 'commander';
import type { Answer, OperationId } from './api-client';
import { whole } from './read-number';
import type { Session } from './session';

const PAGE_MAX = 100;

export interface ListOptions {
  limit: number;
  offset: number;
  order: 'asc' | 'desc';
  all?: boolean;
  since?: string;
  until?: string;
}

/** What every list takes. */
export function withListOptions(command: Command): Command {
  return command
    .option('--limit <number>', 'how many to show', whole(1, PAGE_MAX), 20)
    .option('--offset <number>', 'how many to skip', whole(0, 100_000), 0)
    .addOption(new Option('--order <order>', 'by time').choices(['asc', 'desc']).default('desc'))
    .option('--since <time>', 'only what began at or after this time, ISO 8601')
    .option('--until <time>', 'only what began before this time, ISO 8601')
    .option('--all', 'every page, in place of --limit and --offset');
}

type ListId = {
  [Id in OperationId]: Answer<Id> extends { total: number } ? Id : never;
}[OperationId];

/** Reads one page, or with --all every page, which it puts together in one answer. */
export async function readList<Id extends ListId, Name extends keyof Answer<Id>>(
  session: Session,
  operationId: Id,
  name: Name,
  { options, filter }: { options: ListOptions; filter: object },
): Promise<Answer<Id>> {
  const { limit, offset, order, since: start_date, until: end_date } = options;
  const query = { ...filter, order, start_date, end_date };
  if (!options.all) {
    return session.call(operationId, { query: { ...query, limit, offset } });
  }
  const rows: unknown[] = [];
  let last: object = {};
  for await (const page of pagesOf(session, operationId, name, query)) {
    rows.push(...(page[name] as unknown[]));
    last = page;
  }
  const sorted = order === 'asc' ? rows : rows.toReversed();
  return {
    ...last,
    [name]: sorted,
    total: rows.length,
    limit: rows.length,
    offset: 0,
  } as Answer<Id>;
}

/**
 * Every page of a list, oldest first: what comes while they are read is at the end of this order, so that no row moves to
 * another page meanwhile.
 */
export async function* pagesOf<Id extends ListId, Name extends keyof Answer<Id>>(
  session: Session,
  operationId: Id,
  name: Name,
  query: object,
): AsyncGenerator<Answer<Id>, void> {
  try {
    for (let offset = 0, total = 1; offset < total;) {
      const page = await session.call(operationId, {
        query: { ...query, order: 'asc', limit: PAGE_MAX, offset },
      });
      yield page;
      const count = (page[name] as unknown[]).length;
      total = count === 0 ? 0 : (page as { total: number }).total;
      offset += count;
      session.progress(`${offset} of ${total}`);
    }
  } finally {
    session.endProgress();
  }
}
