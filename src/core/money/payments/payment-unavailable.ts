import { ChainUnavailable, NoPlaceLeft, WrongNetwork } from '../../../infrastructure/chain/chain-errors';
import type { Currency } from '../../../infrastructure/chain/payment-chain';
import { ServiceUnavailable } from '../../errors/service-errors';
import { PriceUnavailable } from './prices/quote';

const RETRY_AFTER_SECONDS = 15;

/** 503: no payment can be taken or looked at right now. The public text does not tell what is wrong with the operator's node. */
export class PaymentUnavailable extends ServiceUnavailable {
  constructor(currency: Currency, reason: string, cause: unknown) {
    super(`${currency} payments can't be taken right now: ${reason}`, RETRY_AFTER_SECONDS, cause);
  }
}

/** What an account holder is told about a fault of a node, a price source or a pool; null for any other error. */
export function unavailableReason(error: unknown): string | null {
  if (error instanceof PriceUnavailable) {
    return 'no price can be had.';
  }
  if (error instanceof ChainUnavailable || error instanceof WrongNetwork) {
    return 'the chain can not be asked.';
  }
  return error instanceof NoPlaceLeft ? 'there is no address left.' : null;
}

/** Does what may fail for such a reason. @throws PaymentUnavailable in place of it */
export async function orUnavailable<Result>(
  currency: Currency,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = unavailableReason(error);
    throw reason === null ? error : new PaymentUnavailable(currency, reason, error);
  }
}
