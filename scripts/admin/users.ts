import { Command, Option } from 'commander';
import type { AdminUser, AdminUserDetails } from '../../generated/types';
import { findUser } from './find-user';
import { readList, withListOptions, type ListOptions } from './list-options';
import { amount, rate } from './read-number';
import { inSession, type Fields, type Session } from './session';
import { usd, type Column, type Terminal } from './terminal';

const TIERS = ['free', 'basic', 'pro', 'enterprise'];

const COLUMNS: Column<AdminUser>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'E-MAIL', value: ({ email }) => email },
  { title: 'ROLE', value: ({ role }) => role },
  { title: 'TIER', value: ({ tier }) => tier },
  { title: 'ACTIVE', value: ({ is_active }) => (is_active ? 'yes' : 'no') },
  { title: 'BALANCE USD', value: ({ balance }) => usd(balance) },
  { title: 'CREATED', value: ({ created_at }) => created_at },
];

/** The accounts: `users list`, `show`, `tier`, `limits`, `disable`, `enable`, `credit`. */
export function userCommands(terminal: Terminal): Command {
  const users = new Command('users').description('the accounts');
  addReads(users, terminal);
  addRates(users, terminal);
  addAccess(users, terminal);
  addCredit(users, terminal);
  return users;
}

function addReads(users: Command, terminal: Terminal): void {
  withListOptions(users.command('list').description('list the accounts'))
    .option('--search <text>', 'what the e-mail address or the username contains')
    .addOption(new Option('--tier <tier>', 'only this tier').choices(TIERS))
    .addOption(new Option('--role <role>', 'only this role').choices(['user', 'admin']))
    .addOption(new Option('--status <status>', 'only these').choices(['active', 'disabled']))
    .action((options: ListOptions & Record<string, string>, command: Command) =>
      inSession(terminal, command, async (session) => {
        const { search, tier, role, status } = options;
        const list = await readList(session, 'listUsers', 'users', {
          options,
          filter: { search, tier, role, status },
        });
        session.showRows(list, list.users, COLUMNS, list.total);
      }),
    );
  users
    .command('show <user>')
    .description('show an account, named by its id, e-mail address or username')
    .action((named: string, _: object, command: Command) =>
      inSession(terminal, command, async (session) => {
        const { id } = await findUser(session, named);
        const user = await session.call('getUser', { params: { user_id: id } });
        session.show(user, fieldsOf(user));
      }),
    );
}

function addRates(users: Command, terminal: Terminal): void {
  users
    .command('tier <user> <tier>')
    .description(`set the tier of an account: ${TIERS.join(', ')}`)
    .option('--reason <text>', 'why, for the record')
    .action((named: string, tier: string, { reason }: { reason?: string }, command: Command) =>
      inSession(terminal, command, (session) => update(session, named, { tier, reason })),
    );
  users
    .command('limits <user>')
    .description('set the own rate limits of an enterprise account; what is not named has no limit')
    .option('--per-second <number>', 'calls a second', rate)
    .option('--per-minute <number>', 'calls a minute', rate)
    .option('--per-hour <number>', 'calls an hour', rate)
    .option('--per-day <number>', 'calls a day', rate)
    .option('--none', 'no own limits: those of the tier')
    .option('--reason <text>', 'why, for the record')
    .action((named: string, options: LimitOptions, command: Command) => {
      const { none, perSecond, perMinute, perHour, perDay, reason } = options;
      const own = {
        requests_per_second: perSecond,
        requests_per_minute: perMinute,
        requests_per_hour: perHour,
        requests_per_day: perDay,
      };
      const isNamed = Object.values(own).some((number) => number !== undefined);
      if (isNamed === (none === true)) {
        command.error('error: name one of the limits, or --none', { exitCode: 2 });
      }
      return inSession(terminal, command, (session) =>
        update(session, named, { rate_limits: none ? null : own, reason }),
      );
    });
}

interface LimitOptions {
  perSecond?: number;
  perMinute?: number;
  perHour?: number;
  perDay?: number;
  none?: boolean;
  reason?: string;
}

function addAccess(users: Command, terminal: Terminal): void {
  users
    .command('disable <user>')
    .description('refuse all credentials of an account, at once and on every replica; its tokens end')
    .option('--reason <text>', 'why, for the record')
    .option('--yes', 'do not ask')
    .action((named: string, { reason }: { reason?: string }, command: Command) =>
      inSession(terminal, command, async (session) => {
        const { id, email } = await findUser(session, named);
        await session.confirm(`Disable ${email} (${id})? Its keys are refused and its tokens end.`);
        await update(session, id, { is_active: false, reason });
      }),
    );
  users
    .command('enable <user>')
    .description('accept the keys and the password of a disabled account again')
    .option('--reason <text>', 'why, for the record')
    .action((named: string, { reason }: { reason?: string }, command: Command) =>
      inSession(terminal, command, (session) => update(session, named, { is_active: true, reason })),
    );
}

function addCredit(users: Command, terminal: Terminal): void {
  users
    .command('credit <user>')
    .argument('<usd>', 'how much', amount)
    .description('add credit to an account')
    .requiredOption('--reason <text>', 'shown in the transaction')
    .option('--idempotency-key <key>', 'of a command whose outcome is not known')
    .action((named: string, amountUsd: number, { reason }: { reason: string }, command: Command) =>
      inSession(terminal, command, async (session) => {
        const { id, email } = await findUser(session, named);
        const body = { user_id: id, amount_usd: amountUsd, reason };
        const transaction = await session.change('addCredits', { body });
        session.show(transaction, {
          transaction: transaction.id,
          account: email,
          'amount USD': usd(transaction.amount),
          'balance USD': usd(transaction.balance_after),
        });
      }),
    );
}

async function update(session: Session, named: string, body: object): Promise<void> {
  const { id } = await findUser(session, named);
  await session.call('updateUser', { params: { user_id: id }, body });
  const user = await session.call('getUser', { params: { user_id: id } });
  session.show(user, fieldsOf(user));
}

function fieldsOf(user: AdminUserDetails): Fields {
  const { rates, keys, webhooks } = user;
  const limit = (number: number | null) => number ?? 'no limit';
  return {
    id: user.id,
    'e-mail': user.email,
    username: user.username,
    role: user.role,
    tier: user.tier,
    active: user.is_active ? 'yes' : 'no',
    created: user.created_at,
    'balance USD': usd(user.balance),
    'reserved USD': usd(user.reserved),
    'available USD': usd(user.available),
    'calls a second': limit(rates.requests_per_second),
    'calls a minute': limit(rates.requests_per_minute),
    'calls an hour': limit(rates.requests_per_hour),
    'calls a day': limit(rates.requests_per_day),
    keys: `${keys.active} active, ${keys.expired} expired, ${keys.revoked} revoked`,
    'last used': keys.last_used_at,
    webhooks: `${webhooks.active} active, ${webhooks.inactive} inactive (${webhooks.switched_off} switched off)`,
    'payments in review': user.payments_in_review,
    'upgrade request': user.pending_upgrade_request_id,
  };
}
