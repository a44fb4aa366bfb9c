import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { JsonRpc, OperatorHttp } from '../../../http/operator-http';
import { ExtendedKey } from '../extended-key';
import {
  InvalidKey,
  type Observation,
  PaymentChain,
  type PaymentPlace,
  type WatchedPayment,
  WrongNetwork,
} from '../payment-chain';
import { EthereumLook } from './ethereum-look';
import { BatchSize, EthereumReader, MAIN_CHAIN_ID } from './ethereum-reader';
import { LookMemory } from './payment-sightings';
import { withinLook } from '../within-look';

const ADDRESS_BYTES = 20;

/** The address of the key `0/index`, with the checksum that its capital letters are (EIP-55). */
export function ethereumAddress(key: ExtendedKey, index: number): string {
  const point = secp256k1.Point.fromBytes(key.publicKeyAt(index)).toBytes(false);
  // The first byte only says that the point is not compressed.
  const hash = keccak_256(point.subarray(1));
  return checksummed(Buffer.from(hash.subarray(-ADDRESS_BYTES)).toString('hex'));
}

function checksummed(digits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'ascii'))).toString('hex');
  const marked = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${marked.join('')}`;
}

interface EthereumSettings {
  /** The public key of an account, whose addresses `0/index` nothing else uses. */
  xpub: string;
  url: string;
  environment: 'test' | 'live';
}

const HTTP_BOUNDS = { timeoutMs: 5_000, answerBytesMax: 16 * 1024 * 1024 };
const NETWORK_BELIEVED_MS = 10_000;

/**
 * Ethereum by a node's JSON-RPC. It credits by balances at blocks, so that ether sent by contracts counts, and what a
 * reorganisation has undone does not. It asks for no block that is more than 120 blocks old, whose state any full node has.
 */
export class EthereumChain extends PaymentChain {
  readonly currency = 'ETH';
  readonly isSandbox = false;
  readonly placesId: string;

  private readonly key: ExtendedKey;
  private readonly http: OperatorHttp;
  private readonly batchSize = new BatchSize();
  private readonly memory = new LookMemory();
  private believed = { chainId: 0, untilMs: 0 };

  /** @throws InvalidKey */
  constructor(private readonly settings: EthereumSettings) {
    super();
    this.key = ExtendedKey.parse(settings.xpub);
    // Wallets write xpub for the accounts of every Ethereum network; only who chose a tpub has chosen a test network.
    if (settings.environment === 'live' && this.key.network === 'test') {
      throw new InvalidKey('is a key for test networks');
    }
    this.placesId = `eth:${this.key.id}`;
    this.http = new OperatorHttp(settings.url, HTTP_BOUNDS);
  }

  async network(): Promise<string> {
    if (performance.now() >= this.believed.untilMs) {
      await this.within(async (reader) => this.believe(await reader.chainId()));
    }
    return String(this.believed.chainId);
  }

  placeOf(index: number): PaymentPlace {
    return { address: ethereumAddress(this.key, index), reference: null };
  }

  /** One request for the newest block and one for each 500 balances; more when something is arriving. */
  async observe(payments: readonly WatchedPayment[], signal: AbortSignal): Promise<Observation> {
    return this.within(async (reader) => {
      const { chainId, head, finalized } = await reader.head();
      this.believe(chainId);
      const look = new EthereumLook(reader, this.memory, head, finalized);
      const { transfers, reviews } = await look.at(payments);
      const tip = { height: head.number, time: head.time };
      return { tip, transfers, reviews, requests: reader.requests };
    }, signal);
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  private believe(chainId: number): void {
    const isMain = chainId === MAIN_CHAIN_ID;
    if (isMain !== (this.settings.environment === 'live')) {
      throw new WrongNetwork(
        `the Ethereum node is of chain ${chainId}, which is not for the environment ${this.settings.environment}`,
      );
    }
    this.believed = { chainId, untilMs: performance.now() + NETWORK_BELIEVED_MS };
  }

  private async within<Result>(
    work: (reader: EthereumReader) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const asked = (bounded: AbortSignal) =>
      work(new EthereumReader(new JsonRpc(this.http), this.batchSize, bounded));
    try {
      return await withinLook('Ethereum', asked, signal);
    } catch (error) {
      this.believed.untilMs = 0;
      throw error;
    }
  }
}
