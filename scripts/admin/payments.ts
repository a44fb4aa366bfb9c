import { Command, Option } from 'commander';
import type { AdminPayment } from '../../generated/types';
import { CommandFailure, EXIT } from './failures';
import { findUser } from './find-user';
import { readList, withListOptions, type ListOptions } from './list-options';
import { amount } from './read-number';
import { inSession, type Fields, type Session } from './session';
import { usd, type Column, type Terminal } from './terminal';

const COLUMNS: Column<AdminPayment>[] = [
  { title: 'ID', value: ({ payment }) => payment.id },
  { title: 'ACCOUNT', value: ({ payment }) => payment.user_id },
  { title: 'USD', value: ({ payment }) => usd(payment.amount_usd) },
  { title: 'CREDITED', value: ({ payment }) => usd(payment.credited_usd) },
  { title: 'COIN', value: ({ payment }) => payment.currency },
  { title: 'STATUS', value: ({ payment }) => payment.status },
  { title: 'CREATED', value: ({ payment }) => payment.created_at },
  { title: 'REVIEW', value: ({ review }) => (review.needed ? review.reason : null) },
];

interface PaymentFilter {
  review?: boolean;
  status?: string;
  currency?: string;
  user?: string;
}

/** Payments: `payments list`, `show`, and the ways to end a review: `credit`, `debit`, `dismiss`. */
export function paymentCommands(terminal: Terminal): Command {
  const payments = new Command('payments').description('payments, and those that a person has to look at');
  addReads(payments, terminal);
  addDecision(payments, terminal, 'credit', 'end a review and add USD to the balance');
  addDecision(payments, terminal, 'debit', 'end a review and take USD from the balance');
  addDecision(payments, terminal, 'dismiss', 'end a review and leave the balance as it is');
  return payments;
}

function addReads(payments: Command, terminal: Terminal): void {
  withListOptions(payments.command('list').description('list the payments of all accounts'))
    .option('--review', 'only those that a person has to look at')
    .addOption(
      new Option('--status <status>', 'only these').choices([
        'created',
        'confirming',
        'confirmed',
        'failed',
        'expired',
      ]),
    )
    .addOption(new Option('--currency <coin>', 'only this coin').choices(['BTC', 'ETH', 'SOL']))
    .option('--user <user>', 'only those of this account')
    .action((options: ListOptions & PaymentFilter, command: Command) =>
      inSession(terminal, command, async (session) => {
        const { review, status, currency, user } = options;
        const user_id = user === undefined ? undefined : (await findUser(session, user)).id;
        const filter = { needs_review: review, status, currency, user_id };
        const list = await readList(session, 'listAllPayments', 'payments', { options, filter });
        session.showRows(list, list.payments, COLUMNS, list.total);
      }),
    );
  payments
    .command('show <payment>')
    .description('show a payment and its review')
    .action((id: string, _: object, command: Command) =>
      inSession(terminal, command, async (session) => {
        const payment = await session.call('getAnyPayment', { params: { payment_id: id } });
        session.show(payment, fieldsOf(payment));
      }),
    );
}

type Decision = 'credit' | 'debit' | 'dismiss';

function addDecision(payments: Command, terminal: Terminal, decision: Decision, description: string): void {
  const command = payments.command(`${decision} <payment>`).description(description);
  if (decision !== 'dismiss') {
    command.argument('<usd>', 'how much', amount);
  }
  command
    .requiredOption('--note <text>', 'why; where the balance changes, shown in the transaction')
    .option(
      '--expected-version <version>',
      'decide about the payment as `payments show` showed it with this version, and about no other',
    )
    .option('--idempotency-key <key>', 'of a command whose outcome is not known')
    .option('--yes', 'do not ask; needs --expected-version')
    .action((id: string, ...rest: unknown[]) => {
      const amountUsd = decision === 'dismiss' ? 0 : (rest[0] as number);
      const adjustUsd = decision === 'debit' ? -amountUsd : amountUsd;
      const options = command.opts<DecisionOptions>();
      if (options.yes && options.expectedVersion === undefined) {
        throw new CommandFailure(
          '--yes needs the --expected-version of the payment that you looked at, which `payments show` prints.',
          EXIT.usage,
        );
      }
      return inSession(terminal, command, (session) => resolve(session, id, adjustUsd, options));
    });
}

interface DecisionOptions {
  note: string;
  expectedVersion?: string;
  yes?: boolean;
}

/**
 * Decides about the payment as it is shown before the question: what has become of it while the operator thinks is refused by
 * the service. Credit is asked about as well, for the service may have given it already.
 */
async function resolve(
  session: Session,
  id: string,
  adjustUsd: number,
  { note, expectedVersion }: DecisionOptions,
): Promise<void> {
  const params = { payment_id: id };
  const seen = await session.call('getAnyPayment', { params });
  await session.confirm(questionOf(seen, adjustUsd));
  const expected_version = expectedVersion ?? seen.version;
  const resolved = await session.change('resolvePayment', {
    params,
    body: { note, adjust_usd: adjustUsd, expected_version },
    repeatedWith: `--expected-version ${expected_version}`,
  });
  session.show(resolved, fieldsOf(resolved));
}

function questionOf({ payment, review, version }: AdminPayment, adjustUsd: number): string {
  const changed = adjustUsd < 0 ? `Take ${usd(-adjustUsd)} USD for` : `Credit ${usd(adjustUsd)} USD for`;
  const what = adjustUsd === 0 ? 'Dismiss the review of' : changed;
  const amounts = `${usd(payment.amount_usd)} USD in ${payment.currency}, ${usd(payment.credited_usd)} USD credited`;
  const reason = review.needed && review.reason !== null ? review.reason : 'It needs no review.';
  return `${what} payment ${payment.id} of account ${payment.user_id}, ${amounts}? ${reason} Its version is ${version}.`;
}

function fieldsOf({ payment, review, version }: AdminPayment): Fields {
  return {
    payment: payment.id,
    account: payment.user_id,
    'amount USD': usd(payment.amount_usd),
    coin: `${payment.amount_crypto_text} ${payment.currency} (${payment.network})`,
    received: `${payment.received_crypto_text} ${payment.currency}`,
    'credited USD': usd(payment.credited_usd),
    status: payment.status,
    address: payment.address,
    'transaction hash': payment.tx_hash,
    created: payment.created_at,
    'needs review': review.needed ? 'yes' : 'no',
    reason: review.reason,
    since: review.since,
    resolved: review.resolved_at,
    'resolved by': review.resolved_by,
    note: review.note,
    version,
  };
}
