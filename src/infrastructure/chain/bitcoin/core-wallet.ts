import { ChainUnavailable } from '../chain-errors';
import type { ChainTip } from '../payment-chain';
import { AnswerFields, answerObjects } from './bitcoin-answer';
import type { BitcoinNetwork } from './bitcoin-addresses';
import type { BitcoinPlaces } from './bitcoin-places';
import { CoreCoverage } from './core-coverage';
import { CORE_ERRORS, isCoreError, type CoreRpc } from './core-rpc';

const INDEX_MAX = 2 ** 31 - 1;

export interface CoreStatus {
  network: BitcoinNetwork;
  tip: ChainTip;
  /** The first block that a pruned node still has; 0 for a node that has all. */
  firstHeight: number;
  /** How many of the first addresses the wallet knows. */
  imported: number;
  /** For what the wallet knows all that was paid. */
  coverage: CoreCoverage;
  /** Whether the wallet is looking through old blocks right now, for whomever. */
  isScanning: boolean;
}

/**
 * Asks how the node and the wallet are, and loads the wallet, or makes it, where it is not there.
 * @throws WrongNetwork; ChainUnavailable, also while the node has not caught up with its network
 */
export async function coreStatus(rpc: CoreRpc, places: BitcoinPlaces): Promise<CoreStatus> {
  const chain = new AnswerFields(await rpc.call('getblockchaininfo'), 'getblockchaininfo');
  const network = places.accept(chain.text('chain'));
  if (chain.flag('initialblockdownload')) {
    throw new ChainUnavailable('the Bitcoin node has not caught up with its network yet');
  }
  const firstAddress = places.placeOf(0).address;
  const [info, descriptors, address] = await walletAnswers(rpc, firstAddress);
  const wallet = new AnswerFields(info, 'getwalletinfo');
  if (wallet.flag('private_keys_enabled')) {
    throw new ChainUnavailable(
      `the Bitcoin node's wallet ${rpc.walletName} is not one that this service made`,
    );
  }
  const imported = importedOf(descriptors, places);
  return {
    network,
    tip: { height: chain.height('blocks'), time: chain.time('time') },
    firstHeight: chain.optional('pruneheight', (fields) => fields.height('pruneheight')) ?? 0,
    imported,
    coverage: CoreCoverage.ofLabels(new AnswerFields(address, 'getaddressinfo').texts('labels')).within(
      imported,
    ),
    isScanning: wallet.raw('scanning') !== false && wallet.raw('scanning') !== undefined,
  };
}

/** Says in the wallet itself, as the label of its first address, what it knows, so that this outlasts any restart. */
export async function markComplete(
  rpc: CoreRpc,
  places: BitcoinPlaces,
  { label }: CoreCoverage,
): Promise<void> {
  await rpc.call('setlabel', places.placeOf(0).address, label);
}

/** The descriptor of the addresses, without its checksum. */
export function descriptorOf(places: BitcoinPlaces): string {
  return `wpkh(${places.key.standardText}/0/*)`;
}

async function walletAnswers(rpc: CoreRpc, firstAddress: string): Promise<unknown[]> {
  const calls = [
    { method: 'getwalletinfo', params: [] },
    { method: 'listdescriptors', params: [] },
    { method: 'getaddressinfo', params: [firstAddress] },
  ];
  const answers = await rpc.batch(calls, calls.length, CORE_ERRORS.unknownWallet);
  if (answers.every((answer) => answer !== null)) {
    return answers;
  }
  await openWallet(rpc);
  return rpc.batch(calls, calls.length);
}

/** Another process may do the same at the same time: whoever comes second finds the wallet made, or loaded. */
async function openWallet(rpc: CoreRpc): Promise<void> {
  if (await loaded(rpc)) {
    return;
  }
  try {
    // Without private keys, blank, without a passphrase, its coins may be reused, descriptors, loaded whenever the node starts.
    await rpc.callNodePatiently('createwallet', rpc.walletName, true, true, null, false, true, true);
  } catch (error) {
    if (!isCoreError(error, CORE_ERRORS.walletFault) || !(await loaded(rpc))) {
      throw error;
    }
  }
}

/** @returns false when there is no such wallet */
async function loaded(rpc: CoreRpc): Promise<boolean> {
  try {
    await rpc.callNodePatiently('loadwallet', rpc.walletName, true);
    return true;
  } catch (error) {
    if (isCoreError(error, CORE_ERRORS.unknownWallet)) {
      return false;
    }
    if (isCoreError(error, CORE_ERRORS.alreadyLoaded)) {
      return true;
    }
    throw error;
  }
}

function importedOf(answer: unknown, places: BitcoinPlaces): number {
  const prefix = `${descriptorOf(places)}#`;
  const own = answerObjects(
    new AnswerFields(answer, 'listdescriptors').raw('descriptors'),
    'listdescriptors',
  ).find((fields) => fields.text('desc').startsWith(prefix));
  const range = own?.raw('range');
  if (own === undefined || range === undefined) {
    return 0;
  }
  const [first, last] = Array.isArray(range) ? (range as unknown[]) : [];
  if (first !== 0 || typeof last !== 'number' || !Number.isInteger(last) || last < 0 || last > INDEX_MAX) {
    return own.refuse('range');
  }
  return last + 1;
}
