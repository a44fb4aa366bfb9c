import { Injectable } from '@nestjs/common';
import { apis } from '../../../generated/contract';
import type { PriceList as PriceListView, SystemFeature } from '../../../generated/types';
import { Estimates, type OperationPolicy } from '../../contract/operation';
import { nanoToUsd, type Price, PriceList } from '../../ledger/money';
import type { ModelOperation } from '../../models/model-provider';
import { Engines } from '../../models/models.module';
import { inSnakeCase } from '../../runtime/json';
import { CURRENCIES } from '../billing/payment-chain';
import { PaymentChains } from '../billing/payment-chains';

const CHAIN_VARIABLES = {
  BTC: 'BTC_XPUB and BTC_RPC_URL or BTC_ESPLORA_URL',
  ETH: 'ETH_XPUB and ETH_RPC_URL',
  SOL: 'SOL_MERCHANT_ADDRESS or SOL_ADDRESS_POOL and SOL_RPC_URL',
} as const;

/** Retrieval also uses embeddings where there are any, which the document does not show. */
const ALSO_EMBEDS = new Set(['rag']);

@Injectable()
export class Features {
  constructor(
    private readonly engines: Engines,
    private readonly chains: PaymentChains,
  ) {}

  async list(): Promise<SystemFeature[]> {
    return Promise.all(
      apis.map(async ({ tag, operations }) => {
        if (tag === 'payments') {
          return { name: tag, engine: null, ...this.payments() };
        }
        const policies = Object.values<OperationPolicy>(operations);
        const needsModel = isOfModelsAlone(policies);
        return { name: tag, ...(await this.ofModels(modelOperations(tag, policies), needsModel)) };
      }),
    );
  }

  private async ofModels(
    operations: readonly ModelOperation[],
    needsModel: boolean,
  ): Promise<Omit<SystemFeature, 'name'>> {
    const answering = await Promise.all(
      operations.map(async (operation) => ({ operation, ...(await this.engines.answering(operation)) })),
    );
    const basic = answering.filter(({ engine }) => engine === 'embedded').map(({ operation }) => operation);
    const lacksModel = needsModel && basic.length > 0;
    return {
      is_available: !lacksModel && answering.every(({ isAvailable }) => isAvailable),
      engine: lacksModel ? 'upstream' : (answering[0]?.engine ?? null),
      needs: basic.length > 0 ? `An upstream that serves ${basic.join(', ')}, in UPSTREAMS.` : null,
    };
  }

  private payments(): Pick<SystemFeature, 'is_available' | 'needs'> {
    const missing = CURRENCIES.filter((currency) => this.chains.get(currency) === null);
    return {
      is_available: missing.length < CURRENCIES.length,
      needs: missing.map((currency) => `For ${currency}: ${CHAIN_VARIABLES[currency]}.`).join(' ') || null,
    };
  }
}

function isOfModelsAlone(policies: readonly OperationPolicy[]): boolean {
  const asked = policies.filter(({ model }) => model !== null);
  return asked.length > 0 && asked.every(({ withoutModel }) => withoutModel === 'none');
}

export function groupsWantingModel(): { whole: string[]; part: string[] } {
  const wanting = apis.flatMap(({ tag, operations }) => {
    const asked = Object.values<OperationPolicy>(operations).filter(({ model }) => model !== null);
    const isWanting = asked.some(({ withoutModel }) => withoutModel !== 'whole');
    return isWanting ? [{ tag, isWhole: isOfModelsAlone(asked) }] : [];
  });
  const tags = (isWhole: boolean) =>
    wanting.filter((group) => group.isWhole === isWhole).map(({ tag }) => tag);
  return { whole: tags(true), part: tags(false) };
}

function modelOperations(tag: string, policies: readonly OperationPolicy[]): ModelOperation[] {
  const asked = policies.flatMap(({ model }) =>
    model === null ? [] : [model === 'respond' ? 'chat' : model],
  );
  return [...new Set<ModelOperation>([...asked, ...(ALSO_EMBEDS.has(tag) ? (['embed'] as const) : [])])];
}

const OPERATIONS = apis.flatMap(({ operations }) => Object.values<OperationPolicy>(operations));

interface PricedOperations {
  price: Price;
  operations: string[];
}

@Injectable()
export class PricingService {
  constructor(
    private readonly prices: PriceList,
    private readonly estimates: Estimates,
  ) {}

  inForce(): PriceListView {
    const ofOperations = this.prices.all().map((price) => {
      const priced = OPERATIONS.filter(({ price: name }) => name === price.name);
      return { price, operations: priced.map(({ operationId }) => operationId) };
    });
    const ofModels = ofOperations.flatMap((priced) => this.ofModels(priced));
    return {
      version: this.prices.version,
      currency: 'USD',
      prices: [...ofOperations, ...ofModels].map(toPrice),
    };
  }

  /** Only operations with an estimator are answered by a model, and can have a model's price. */
  private ofModels({ price, operations }: PricedOperations): PricedOperations[] {
    const estimated = operations.filter((operationId) => this.estimates.of(operationId) !== null);
    const prices = estimated.length === 0 ? [] : this.prices.forEachModel(price.name);
    return prices.map((ofModel) => ({ price: ofModel, operations: estimated }));
  }
}

function toPrice({ price, operations }: PricedOperations): PriceListView['prices'][number] {
  return {
    ...inSnakeCase(price, 'name', 'title', 'model', 'counts'),
    base: nanoToUsd(price.baseNanoUsd),
    per_token: usdOrNull(price.perTokenNanoUsd),
    per_output_token: usdOrNull(price.perOutputTokenNanoUsd),
    per_cached_token: usdOrNull(price.perCachedTokenNanoUsd),
    per_cache_write_token: usdOrNull(price.perCacheWriteTokenNanoUsd),
    operations,
  };
}

function usdOrNull(nanoUsd: bigint | null | undefined): number | null {
  return nanoUsd === null || nanoUsd === undefined ? null : nanoToUsd(nanoUsd);
}
