import { Injectable } from '@nestjs/common';
import { apis } from '../../../generated/contract';
import type { OperationPolicy } from '../../contract/operation';
import { Engines } from '../../core/models/engines';
import type { ModelOperation } from '../../core/models/model-provider';
import { CURRENCIES } from '../../infrastructure/chain/payment-chain';
import { PaymentChains } from '../../infrastructure/chain/payment-chains';

/** What an operator sets so that payments are taken in a currency; docs/operating.md says more. */
const CHAIN_VARIABLES = {
  BTC: 'BTC_XPUB and BTC_RPC_URL or BTC_ESPLORA_URL',
  ETH: 'ETH_XPUB and ETH_RPC_URL',
  SOL: 'SOL_MERCHANT_ADDRESS or SOL_ADDRESS_POOL and SOL_RPC_URL',
} as const;

/** Retrieval finds by meaning too where an upstream embeds, which the document says of no operation. */
const ALSO_EMBEDS = new Set(['rag']);

/** A group of the document's operations. */
export interface Feature {
  name: string;
  isAvailable: boolean;
  /** Null where no model is needed. */
  engine: 'embedded' | 'upstream' | null;
  /** What the operator would have to set for the rest of it; null where nothing is missing. */
  needs: string | null;
}

/** What each group of operations offers here, with the upstreams and chains that the operator has set. */
@Injectable()
export class Features {
  constructor(
    private readonly engines: Engines,
    private readonly chains: PaymentChains,
  ) {}

  /** All groups, in the document's order. */
  async list(): Promise<Feature[]> {
    return Promise.all(
      apis.map(async ({ tag, operations }) => {
        if (tag === 'payments') {
          return { name: tag, engine: null, ...this.payments() };
        }
        const asked = modelOperations(tag, Object.values<OperationPolicy>(operations));
        return { name: tag, ...(await this.ofModels(asked)) };
      }),
    );
  }

  private async ofModels(operations: readonly ModelOperation[]): Promise<Omit<Feature, 'name'>> {
    const answering = await Promise.all(
      operations.map(async (operation) => ({ operation, ...(await this.engines.answering(operation)) })),
    );
    const basic = answering.filter(({ engine }) => engine === 'embedded').map(({ operation }) => operation);
    return {
      isAvailable: answering.every(({ isAvailable }) => isAvailable),
      engine: answering[0]?.engine ?? null,
      needs: basic.length > 0 ? `An upstream that serves ${basic.join(', ')}, in UPSTREAMS.` : null,
    };
  }

  private payments(): Pick<Feature, 'isAvailable' | 'needs'> {
    const missing = CURRENCIES.filter((currency) => this.chains.get(currency) === null);
    return {
      isAvailable: missing.length < CURRENCIES.length,
      needs: missing.map((currency) => `For ${currency}: ${CHAIN_VARIABLES[currency]}.`).join(' ') || null,
    };
  }
}

/** What a group asks models for, the more important first. A response is answered by a chat. */
function modelOperations(tag: string, policies: readonly OperationPolicy[]): ModelOperation[] {
  const asked = policies.flatMap(({ model }) =>
    model === null ? [] : [model === 'respond' ? 'chat' : model],
  );
  return [...new Set<ModelOperation>([...asked, ...(ALSO_EMBEDS.has(tag) ? (['embed'] as const) : [])])];
}
