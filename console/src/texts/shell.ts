/** What stands around every view, and what many of them say. */
export const shell = {
  name: 'Console',
  skip: 'Skip to content',
  menu: 'Menu',
  navigation: 'Main',
  account: 'Account',
  signedInAs: 'Signed in as',
  logOut: 'Log out',
  theme: 'Appearance',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  balance: 'Balance',
  documentation: 'API reference',
  notFound: 'There is no such page',
  notFoundText: 'The address may be mistyped, or what it showed was deleted.',
  toOverview: 'Go to the overview',
};

export const groups = {
  use: 'Use',
  money: 'Money',
  build: 'Build',
  account: 'Settings',
  operate: 'Operate',
};

export const nav = {
  overview: 'Overview',
  playground: 'Playground',
  requests: 'Requests',
  topUp: 'Top up',
  transactions: 'Transactions',
  keys: 'Access keys',
  webhooks: 'Webhooks',
  documents: 'Documents',
  collections: 'Search',
  agents: 'Agents',
  tasks: 'Tasks',
  limits: 'Rate limits',
  account: 'Account',
  accounts: 'Accounts',
  upgrades: 'Upgrade requests',
  payments: 'Payments',
  business: 'Business',
  health: 'Health',
  prices: 'Prices',
  deliveries: 'Deliveries',
  reconciliation: 'Reconciliation',
  audit: 'Audit log',
};

export const common = {
  optional: 'optional',
  copy: 'Copy',
  copied: 'Copied',
  copyRefused: 'Not copied',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  done: 'Done',
  retry: 'Try again',
  loading: 'Loading',
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  range: (from: string, to: string, total?: string) =>
    `${from}–${to}${total === undefined ? '' : ` of ${total}`}`,
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  all: 'All',
  from: 'From',
  to: 'To',
  none: 'None',
  never: 'Never',
  unlimited: 'No limit',
  yes: 'Yes',
  no: 'No',
  created: 'Created',
  status: 'Status',
  name: 'Name',
  type: 'Type',
  when: 'When',
  download: 'Download CSV',
  refresh: 'Refresh',
  details: 'Details',
  apply: 'Apply',
  clear: 'Clear filters',
  noneMatch: 'Nothing matches these filters',
  showAll: 'Show all',
  amount: 'Amount (USD)',
  amountError:
    'Enter dollars such as 1000 or 0.25, at most 999999999, without a sign between thousands and with at most six decimals.',
  show: 'Show',
  hide: 'Hide',
};

export const errors = {
  unexpected: 'Something went wrong in this page',
  reload: 'Reload the page. If it happens again, tell the operator what you did.',
  invalid: 'This cannot be done as asked',
  unreachable: 'The service cannot be reached',
  odd: 'The service did not answer as it should',
  checkNetwork:
    'Check your connection. Nothing was lost: what was sent may have arrived, so look before you send it again.',
  sentBefore: 'What you sent before may have arrived already: close this and look.',
  request: 'Request',
  topUp: 'Top up the balance, or choose something that costs less.',
  raiseLimit:
    'Nothing was charged. The key that the console makes for itself has its cap for good: choose another cap in the playground. Limits of other keys are changed under Access keys.',
  limitReached: 'A spending limit is reached',
  limits: {
    per_request: (most: string) => `No call of this key may cost more than ${most}.`,
    daily: (most: string, spent: string) => `This key may spend ${most} a day, and has spent ${spent} of it.`,
    monthly: (most: string, spent: string) =>
      `This key may spend ${most} a month, and has spent ${spent} of it.`,
  },
  creditNeeded: (required: string, available: string) =>
    `This call may cost ${required}, and the balance has ${available} available.`,
  limitNeeded: (needed: string) => `This call may cost up to ${needed}.`,
  limitResets: 'The limit begins anew',
  forbidden: 'Your account may not do this.',
  taken: 'Log in instead if the account is yours, or choose another one.',
  conflict: 'Something changed in the meantime. Reload and look again.',
  tryLater:
    'The service could not answer. Try again in a moment; if it lasts, give the operator the request id.',
};

export const password = {
  title: 'Confirm your password',
  lead: 'This needs a password that was entered within the last ten minutes.',
  label: 'Password',
  confirm: 'Confirm',
};
