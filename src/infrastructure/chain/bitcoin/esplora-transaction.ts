import type { AnswerFields } from './bitcoin-answer';

export interface Outpoint {
  txid: string;
  vout: number;
  /** Whose coin it is; null where that is no address, or the server does not tell. */
  address: string | null;
}

export interface EsploraTransaction {
  txid: string;
  /** Null for a transaction that is in no block. */
  block: { height: number; time: Date } | null;
  /** What it spends; nothing when it pays a miner's reward. */
  inputs: Outpoint[];
  outputs: { address: string | null; amountBase: bigint }[];
}

const OUTPUTS_MAX = 1_000_000;

/**
 * Reads a transaction as Esplora gives it.
 * @throws ChainUnavailable for what makes no sense
 */
export function esploraTransaction(fields: AnswerFields): EsploraTransaction {
  const status = fields.object('status');
  const inputs = fields.objects('vin');
  return {
    txid: fields.hash('txid'),
    block: status.flag('confirmed')
      ? { height: status.height('block_height'), time: status.time('block_time') }
      : null,
    inputs: inputs
      .filter((input) => input.raw('is_coinbase') !== true)
      .map((input) => ({
        txid: input.hash('txid'),
        vout: input.integer('vout', 0, OUTPUTS_MAX),
        address: input.optional('prevout', (of) => addressOf(of.object('prevout'))) ?? null,
      })),
    outputs: fields.objects('vout').map((output) => ({
      address: addressOf(output),
      amountBase: output.satoshis('value'),
    })),
  };
}

function addressOf(output: AnswerFields): string | null {
  return output.optional('scriptpubkey_address', (of) => of.text('scriptpubkey_address')) ?? null;
}
