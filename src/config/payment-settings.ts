import type { Environment } from './environment';

/** How payments are taken. A chain without settings takes none; in the test environment a sandbox plays it. */
export interface PaymentSettings {
  readonly btc: { readonly xpub: string; readonly node: BitcoinNodeSettings } | null;
  readonly eth: { readonly xpub: string; readonly rpcUrl: string } | null;
  readonly sol: { readonly places: SolanaPlaceSettings; readonly rpcUrl: string } | null;
  /** For how long the price of a payment is locked. */
  readonly expiryMinutes: number;
  readonly pollSeconds: number;
  readonly confirmationsFile: string | null;
  /** JSON or the path of a JSON file; null for the sources that come with the service. */
  readonly priceSources: string | null;
}

export interface BitcoinNodeSettings {
  readonly kind: 'core' | 'esplora';
  /** May hold user and password. */
  readonly url: string;
}

/** `pool` is addresses with white space or commas between them, or the path of a file of such. */
export type SolanaPlaceSettings = { readonly merchantAddress: string } | { readonly pool: string };

/** @param variables in which paymentFaults() has found none */
export function paymentSettings(variables: Environment): PaymentSettings {
  const { BTC_XPUB, BTC_RPC_URL, BTC_ESPLORA_URL, ETH_XPUB, ETH_RPC_URL, SOL_RPC_URL } = variables;
  const node = bitcoinNode(BTC_RPC_URL, BTC_ESPLORA_URL);
  const places = solanaPlaces(variables);
  return {
    btc: BTC_XPUB !== undefined && node ? { xpub: BTC_XPUB, node } : null,
    eth: ETH_XPUB !== undefined && ETH_RPC_URL !== undefined ? { xpub: ETH_XPUB, rpcUrl: ETH_RPC_URL } : null,
    sol: places && SOL_RPC_URL !== undefined ? { places, rpcUrl: SOL_RPC_URL } : null,
    expiryMinutes: variables.PAYMENT_EXPIRY_MINUTES,
    pollSeconds: variables.PAYMENT_POLL_SECONDS,
    confirmationsFile: variables.PAYMENT_CONFIRMATIONS_FILE ?? null,
    priceSources: variables.PRICE_SOURCES ?? null,
  };
}

/** Half a chain is a mistake: nobody would see what is paid, or nobody could pay. */
export function paymentFaults(variables: Environment): string[] {
  const has = (name: keyof Environment): boolean => variables[name] !== undefined;
  const rules: [boolean, string][] = [
    [has('BTC_RPC_URL') && has('BTC_ESPLORA_URL'), 'BTC_RPC_URL and BTC_ESPLORA_URL exclude each other'],
    [
      has('BTC_XPUB') !== (has('BTC_RPC_URL') || has('BTC_ESPLORA_URL')),
      'BTC_XPUB goes together with BTC_RPC_URL or BTC_ESPLORA_URL',
    ],
    [has('ETH_XPUB') !== has('ETH_RPC_URL'), 'ETH_XPUB and ETH_RPC_URL go together'],
    [
      has('SOL_MERCHANT_ADDRESS') && has('SOL_ADDRESS_POOL'),
      'SOL_MERCHANT_ADDRESS and SOL_ADDRESS_POOL exclude each other',
    ],
    [
      has('SOL_RPC_URL') !== (has('SOL_MERCHANT_ADDRESS') || has('SOL_ADDRESS_POOL')),
      'SOL_RPC_URL goes together with SOL_MERCHANT_ADDRESS or SOL_ADDRESS_POOL',
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, text]) => text);
}

function bitcoinNode(rpcUrl: string | undefined, esploraUrl: string | undefined): BitcoinNodeSettings | null {
  if (rpcUrl !== undefined) {
    return { kind: 'core', url: rpcUrl };
  }
  return esploraUrl === undefined ? null : { kind: 'esplora', url: esploraUrl };
}

function solanaPlaces({ SOL_MERCHANT_ADDRESS, SOL_ADDRESS_POOL }: Environment): SolanaPlaceSettings | null {
  if (SOL_MERCHANT_ADDRESS !== undefined) {
    return { merchantAddress: SOL_MERCHANT_ADDRESS };
  }
  return SOL_ADDRESS_POOL === undefined ? null : { pool: SOL_ADDRESS_POOL };
}
