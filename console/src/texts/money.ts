/** How long a block of each chain takes. */
const BLOCK_SECONDS: Readonly<Record<string, number>> = { BTC: 600, ETH: 12, SOL: 0.4 };

function minutesOf(confirmations: number, currency: string): string {
  const minutes = Math.round((confirmations * (BLOCK_SECONDS[currency] ?? 0)) / 60);
  return minutes === 0 ? 'less than a minute' : `some ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

const topUp = {
  lead: 'Credit is prepaid in US dollars. Pay with a coin; what arrives is credited at the price locked when you begin.',
  howMuch: 'How much',
  other: 'Other amount (USD)',
  range: (least: string, most: string) => `From ${least} to ${most}.`,
  outOfRange: (least: string, most: string) => `Choose an amount from ${least} to ${most}.`,
  coin: 'Pay with',
  rate: (rate: string) => `1 coin = ${rate}`,
  confirmations: (number: number, currency: string) =>
    `${number} ${number === 1 ? 'confirmation' : 'confirmations'}: ${minutesOf(number, currency)}`,
  minutes: (number: number) => `price held for ${number} minutes`,
  sandbox: 'Sandbox',
  unavailable: 'Not available now',
  start: 'Show payment details',
  history: 'Payments',
  noPayments: 'No payments yet',
  noPaymentsText:
    'Choose an amount and a coin above. You get an address, the exact amount and a QR code for your wallet.',
  open: 'Open',
  amount: 'Amount',
  credited: 'Credited',
};

const payment = {
  title: 'Payment',
  lead: (coin: string) => `Send exactly this amount of ${coin} to exactly this address.`,
  send: 'Send',
  to: 'To address',
  reference: 'With this reference',
  network: 'Network',
  networkOnly: (network: string) => `Pay on the network “${network}” only. Coins sent elsewhere are lost.`,
  qr: (coin: string) => `QR code with the address and the amount in ${coin}`,
  wallet: 'Open in wallet',
  steps: {
    waiting: 'Waiting for your transfer',
    seen: 'Seen on the network',
    confirming: 'Confirmations',
    credited: 'Credited',
  },
  confirmations: (have: number, need: number) => `${have} of ${need}`,
  expires: 'Price held until',
  expired: 'The time for this payment has passed',
  expiredText:
    'What arrives late is credited when it confirms, at the held or the present price, whichever is lower. If you have sent nothing, begin a new payment.',
  failed: 'This payment failed',
  confirmed: (amount: string) => `Your balance was credited with ${amount}`,
  confirmedText: 'You can close this page.',
  under: 'Less arrived than was asked for, and that was credited.',
  over: 'More arrived than was asked for. All of it counts.',
  late: 'Something arrived after the price had ended.',
  look: 'Look again now',
  play: 'Play the transfer',
  sandboxTitle: 'This is a sandbox payment',
  sandboxText:
    'No coins are needed. Let the sandbox play a transfer of the whole amount, and watch what a real one would look like.',
  another: 'New payment',
  transfers: 'Transfers',
  noTransfers: 'Nothing has arrived yet. This page updates by itself; you may also close it and come back.',
  transaction: 'Transaction',
  states: {
    pending: 'Not in a block yet',
    included: 'In a block',
    missing: 'Gone for now',
    replaced: 'Replaced',
    failed: 'Moved nothing',
  },
  rate: 'Price of one coin',
  live: 'Live',
  asked: 'Asked for',
  statuses: {
    created: 'Waiting',
    confirming: 'Confirming',
    confirmed: 'Credited',
    failed: 'Failed',
    expired: 'Expired',
  },
};

const transactions = {
  lead: 'Every change of the balance, in the order of the ledger. The sums are the ledger’s own.',
  types: {
    deposit: 'Deposit',
    charge: 'Charge',
    refund: 'Refund',
    adjustment: 'Adjustment',
    bonus: 'Bonus',
  },
  what: 'What',
  amount: 'Amount',
  after: 'Balance after',
  receipt: 'Receipt',
  deposited: 'Deposited',
  charged: 'Charged',
  refunded: 'Refunded',
  granted: 'Given and adjusted',
  empty: 'No transactions yet',
  emptyText: 'Top up the balance or make a call: each leaves a line.',
  forPeriod: 'in the chosen period',
};

const prices = {
  lead: 'What calls cost, as in force now. A call is charged its base and its tokens.',
  leadOperator:
    'What calls cost and how often tiers may call, as in force now. Both come from files that the service reads at its start.',
  version: 'Version',
  price: 'Price',
  model: 'Model',
  base: 'A call',
  perToken: 'A token',
  perOutput: 'An output token',
  perCached: 'A cached token',
  perWrite: 'A token to cache',
  operations: 'Operations',
  tiers: 'Tiers',
  accounts: 'Accounts',
};

export const money = { topUp, payment, transactions, prices };
