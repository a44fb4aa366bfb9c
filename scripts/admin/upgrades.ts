import { Command, Option } from 'commander';
import type { AdminUpgradeRequest } from '../../generated/types';
import { findUser } from './find-user';
import { readList, withListOptions, type ListOptions } from './list-options';
import { inSession, type Fields, type Session } from './session';
import type { Column, Terminal } from './terminal';

const COLUMNS: Column<AdminUpgradeRequest>[] = [
  { title: 'ID', value: ({ request }) => request.id },
  { title: 'E-MAIL', value: ({ user }) => user.email },
  { title: 'TIER NOW', value: ({ user }) => user.tier },
  { title: 'WANTED', value: ({ request }) => request.requested_tier },
  { title: 'CALLS A DAY', value: ({ request }) => request.estimated_requests_per_day },
  { title: 'STATUS', value: ({ request }) => request.status },
  { title: 'CREATED', value: ({ request }) => request.created_at },
  { title: 'REASON', value: ({ request }) => request.reason },
];

/** Requests for another tier: `upgrades list`, `approve`, `reject`. */
export function upgradeCommands(terminal: Terminal): Command {
  const upgrades = new Command('upgrades').description('requests of accounts for another tier');
  withListOptions(upgrades.command('list').description('list the requests'))
    .addOption(new Option('--status <status>', 'only these').choices(['pending', 'approved', 'rejected']))
    .option('--user <user>', 'only those of this account')
    .action((options: ListOptions & { status?: string; user?: string }, command: Command) =>
      inSession(terminal, command, async (session) => {
        const { status, user } = options;
        const user_id = user === undefined ? undefined : (await findUser(session, user)).id;
        const filter = { status, user_id };
        const list = await readList(session, 'listUpgradeRequests', 'upgrade_requests', { options, filter });
        session.showRows(list, list.upgrade_requests, COLUMNS, list.total);
      }),
    );
  upgrades
    .command('approve <request>')
    .description('set the tier that the request asks for')
    .option('--note <text>', 'for the record')
    .option('--idempotency-key <key>', 'of a command whose outcome is not known')
    .action((id: string, { note }: { note?: string }, command: Command) =>
      inSession(terminal, command, (session) => decide(session, 'approveUpgradeRequest', id, { note })),
    );
  upgrades
    .command('reject <request>')
    .description('leave the tier as it is')
    .requiredOption('--note <text>', 'why, for the record')
    .option('--idempotency-key <key>', 'of a command whose outcome is not known')
    .action((id: string, { note }: { note: string }, command: Command) =>
      inSession(terminal, command, (session) => decide(session, 'rejectUpgradeRequest', id, { note })),
    );
  return upgrades;
}

async function decide(
  session: Session,
  operationId: 'approveUpgradeRequest' | 'rejectUpgradeRequest',
  id: string,
  body: object,
): Promise<void> {
  const decided = await session.change(operationId, { params: { upgrade_request_id: id }, body });
  session.show(decided, fieldsOf(decided));
}

function fieldsOf({ user, request, decided_at, note }: AdminUpgradeRequest): Fields {
  return {
    request: request.id,
    account: user.email,
    'tier now': user.tier,
    status: request.status,
    decided: decided_at,
    note,
  };
}
