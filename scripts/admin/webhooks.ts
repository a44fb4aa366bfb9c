import { Command, Option } from 'commander';
import type { AdminDelivery, AdminWebhook } from '../../generated/types';
import { findUser } from './find-user';
import { readList, withListOptions, type ListOptions } from './list-options';
import { inSession, type Session } from './session';
import type { Column, Terminal } from './terminal';

const WEBHOOKS: Column<AdminWebhook>[] = [
  { title: 'ID', value: ({ webhook }) => webhook.id },
  { title: 'ACCOUNT', value: ({ user_id }) => user_id },
  { title: 'ACTIVE', value: ({ webhook }) => (webhook.is_active ? 'yes' : 'no') },
  { title: 'FAILING SINCE', value: ({ webhook }) => webhook.failing_since },
  { title: 'URL', value: ({ webhook }) => webhook.url },
  { title: 'SWITCHED OFF BECAUSE', value: ({ webhook }) => webhook.disabled_reason },
];

const DELIVERIES: Column<AdminDelivery>[] = [
  { title: 'ID', value: ({ delivery }) => delivery.id },
  { title: 'WEBHOOK', value: ({ delivery }) => delivery.webhook_id },
  { title: 'ACCOUNT', value: ({ user_id }) => user_id },
  { title: 'EVENT', value: ({ delivery }) => delivery.event_type },
  { title: 'ABANDONED', value: ({ delivery }) => delivery.abandoned_at },
  { title: 'ERROR', value: ({ delivery }) => delivery.error_message },
];

/** Webhooks of all accounts: `webhooks health`, `list`, `abandoned`, `enable`. */
export function webhookCommands(terminal: Terminal): Command {
  const webhooks = new Command('webhooks').description('webhooks of all accounts, and whether events arrive');
  webhooks
    .command('health')
    .description('what waits, what failed, and where')
    .action((_: object, command: Command) => inSession(terminal, command, showHealth));
  withListOptions(webhooks.command('list').description('list the webhooks of all accounts'))
    .addOption(new Option('--status <status>', 'only these').choices(['active', 'inactive', 'switched_off']))
    .option('--user <user>', 'only those of this account')
    .action((options: ListOptions & { status?: string; user?: string }, command: Command) =>
      inSession(terminal, command, async (session) => {
        const filter = { status: options.status, user_id: await idOf(session, options.user) };
        const list = await readList(session, 'listAllWebhooks', 'webhooks', { options, filter });
        session.showRows(list, list.webhooks, WEBHOOKS, list.total);
      }),
    );
  withListOptions(webhooks.command('abandoned').description('list the deliveries that were given up'))
    .option('--user <user>', 'only those of this account')
    .option('--webhook <webhook>', 'only those to this webhook')
    .action((options: ListOptions & { webhook?: string; user?: string }, command: Command) =>
      inSession(terminal, command, async (session) => {
        const filter = { webhook_id: options.webhook, user_id: await idOf(session, options.user) };
        const list = await readList(session, 'listAbandonedDeliveries', 'deliveries', { options, filter });
        session.showRows(list, list.deliveries, DELIVERIES, list.total);
      }),
    );
  webhooks
    .command('enable <webhook>')
    .description('switch a webhook on again that the service switched off')
    .option('--reason <text>', 'why, for the record')
    .option('--idempotency-key <key>', 'of a command whose outcome is not known')
    .action((id: string, { reason }: { reason?: string }, command: Command) =>
      inSession(terminal, command, async (session) => {
        const enabled = await session.change('enableWebhook', {
          params: { webhook_id: id },
          body: { reason },
        });
        session.showRows(enabled, [enabled], WEBHOOKS);
      }),
    );
  return webhooks;
}

async function showHealth(session: Session): Promise<void> {
  const health = await session.call('getWebhooksHealth');
  const { receivers, ...numbers } = health;
  const fields = Object.entries(numbers).map(([name, value]) => [name.replaceAll('_', ' '), value] as const);
  const waiting = receivers.map(({ receiver, waiting: count }) => `${receiver} (${count})`).join(', ');
  session.show(health, { ...Object.fromEntries(fields), receivers: waiting || null });
}

async function idOf(session: Session, named: string | undefined): Promise<string | undefined> {
  return named === undefined ? undefined : (await findUser(session, named)).id;
}
