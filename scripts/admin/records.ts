import { Command, Option } from 'commander';
import { definitions } from '../../generated/schemas';
import type { AdminAction, AdminCall } from '../../generated/types';
import { CommandFailure, EXIT } from './failures';
import { findUser } from './find-user';
import { readList, withListOptions, type ListOptions } from './list-options';
import { inSession, type Fields } from './session';
import { usd, type Column, type Terminal } from './terminal';

const ACTIONS: Column<AdminAction>[] = [
  { title: 'WHEN', value: ({ created_at }) => created_at },
  { title: 'ADMIN', value: ({ admin_id }) => admin_id },
  { title: 'OPERATION', value: ({ operation }) => operation },
  { title: 'ACCOUNT', value: ({ user_id }) => user_id },
  { title: 'CHANGED', value: changesOf },
  { title: 'REASON', value: ({ reason }) => reason },
];

/** What is on record: `request`, `audit`, `reconcile`. */
export function recordCommands(terminal: Terminal): Command[] {
  return [requestCommand(terminal), auditCommand(terminal), reconcileCommand(terminal)];
}

function requestCommand(terminal: Terminal): Command {
  return new Command('request')
    .argument('<request_id>', "the X-Request-Id of the call's answer, or the caller's own")
    .description('show the whole story of a call')
    .option('--user <user>', 'only of this account, where callers of several chose the same id')
    .action((id: string, { user }: { user?: string }, command: Command) =>
      inSession(terminal, command, async (session) => {
        const user_id = user === undefined ? undefined : (await findUser(session, user)).id;
        const call = await session.call('getCall', { params: { request_id: id }, query: { user_id } });
        session.show(call, storyOf(call));
      }),
    );
}

function auditCommand(terminal: Terminal): Command {
  const audit = new Command('audit').description('list what admins did');
  return withListOptions(audit)
    .option('--admin <user>', 'only what this admin did')
    .option('--user <user>', 'only what concerns this account')
    .addOption(new Option('--operation <operation>', 'only this').choices(definitions.AdminOperation.enum))
    .action(
      (options: ListOptions & { admin?: string; user?: string; operation?: string }, command: Command) =>
        inSession(terminal, command, async (session) => {
          const idOf = async (named?: string) =>
            named === undefined ? undefined : (await findUser(session, named)).id;
          const filter = {
            admin_id: await idOf(options.admin),
            user_id: await idOf(options.user),
            operation: options.operation,
          };
          const list = await readList(session, 'listAdminActions', 'actions', { options, filter });
          session.showRows(list, list.actions, ACTIONS, list.total);
        }),
    );
}

function reconcileCommand(terminal: Terminal): Command {
  return new Command('reconcile')
    .description('compare every balance with its transactions; ends with 1 where one differs')
    .action((_: object, command: Command) =>
      inSession(terminal, command, async (session) => {
        session.progress('adding up the ledger');
        const reconciliation = await session.call('getReconciliation').finally(() => session.endProgress());
        session.show(reconciliation, {
          accounts: reconciliation.accounts,
          'balances USD': usd(reconciliation.balance_usd),
          'ledger USD': usd(reconciliation.ledger_usd),
          'difference USD': usd(reconciliation.difference_usd),
          'open reservations': reconciliation.open_reservations,
          mismatches: reconciliation.mismatches.map(({ user_id }) => user_id).join(', ') || 'none',
        });
        if (reconciliation.mismatches.length > 0) {
          throw new CommandFailure('The books do not balance.', EXIT.refused);
        }
      }),
    );
}

function storyOf({ user, key, receipt, transactions }: AdminCall): Fields {
  const moved = transactions.map(
    ({ id, type, amount, balance_after }) => `${id} ${type} ${usd(amount)}, balance ${usd(balance_after)}`,
  );
  return {
    request: receipt.request_id,
    "caller's own id": receipt.client_request_id,
    account: `${user.id} ${user.email} (${user.tier})`,
    key: key ? `${key.id} ${key.name} ${key.key_value_preview}` : receipt.key_id,
    operation: receipt.operation,
    outcome: receipt.outcome,
    status: receipt.status,
    price: receipt.price && `${receipt.price} (${receipt.price_version})`,
    tokens: `${receipt.input_tokens} in, ${receipt.output_tokens} out`,
    'reserved USD': usd(receipt.reserved),
    'charged USD': usd(receipt.charged),
    'released USD': usd(receipt.released),
    transactions: moved.join('; ') || null,
    began: receipt.created_at,
    ended: receipt.completed_at,
    'took ms': receipt.latency_ms,
  };
}

/** The members that differ, as `tier: pro → free`. */
function changesOf({ before, after }: AdminAction): string {
  return Object.entries(after)
    .map(([name, value]) => [name, JSON.stringify(before[name]), JSON.stringify(value)] as const)
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => (was === undefined ? `${name}: ${is}` : `${name}: ${was} → ${is}`))
    .join(', ');
}
