import type {
  Balance as BalanceView,
  PaymentMethod as PaymentMethodView,
  TransactionStats,
} from '../../../generated/types';
import type { Balance } from '../../core/money/ledger/ledger';
import type { TransactionType, TransactionTypeTotal } from '../../core/money/ledger/transactions.repository';
import type { PaymentMethod } from '../../core/money/payments/payment-methods';
import { nanoToUsd } from '../../core/money/pricing/usd';

export function toBalance({ balanceNanoUsd, reservedNanoUsd }: Balance): BalanceView {
  return {
    balance: nanoToUsd(balanceNanoUsd),
    reserved: nanoToUsd(reservedNanoUsd),
    available: nanoToUsd(balanceNanoUsd - reservedNanoUsd),
  };
}

/** Summed as nano-USD: a sum of rounded USD numbers would not be the ledger's. */
export function toTransactionStats(totals: TransactionTypeTotal[]): TransactionStats {
  const nanoOf = (type: TransactionType): bigint =>
    totals.find((total) => total.type === type)?.amountNanoUsd ?? 0n;
  return {
    total_deposited: nanoToUsd(nanoOf('deposit')),
    total_charged: nanoToUsd(-nanoOf('charge')),
    total_refunded: nanoToUsd(nanoOf('refund')),
    total_adjusted: nanoToUsd(nanoOf('adjustment')),
    total_bonus: nanoToUsd(nanoOf('bonus')),
    net: nanoToUsd(totals.reduce((sum, total) => sum + total.amountNanoUsd, 0n)),
    count: totals.reduce((sum, total) => sum + total.count, 0),
    by_type: totals.map(({ type, count, amountNanoUsd }) => ({
      type,
      count,
      amount: nanoToUsd(amountNanoUsd),
    })),
  };
}

const COIN_NAMES = { BTC: 'Bitcoin', ETH: 'Ether', SOL: 'Solana' };

export function toPaymentMethod(method: PaymentMethod): PaymentMethodView {
  return {
    currency: method.currency,
    name: COIN_NAMES[method.currency],
    network: method.network,
    is_sandbox: method.isSandbox,
    minimum_usd: nanoToUsd(method.minimumNanoUsd),
    maximum_usd: nanoToUsd(method.maximumNanoUsd),
    confirmations: method.confirmations,
    expiry_minutes: method.expiryMinutes,
    available: method.unavailableReason === null,
    unavailable_reason: method.unavailableReason,
    rate: method.rateNanoUsd === null ? null : nanoToUsd(method.rateNanoUsd),
  };
}
