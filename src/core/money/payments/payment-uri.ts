import { COIN_DECIMALS, type Currency } from '../../../infrastructure/chain/payment-chain';
import { baseToDecimal } from './coin-amounts';

/** What a payer's wallet has to know. */
export interface PaymentRequest {
  currency: Currency;
  /** As the chain names it: for Ethereum the chain id, where there is a chain. */
  network: string;
  address: string;
  /** What the transfer has to carry; null where the address is the payment's own. */
  reference: string | null;
  /** In the coin's smallest unit. */
  amountBase: bigint;
  /** Whom the wallet names as the receiver, where its scheme has that. */
  label: string;
}

/** What a wallet opens: BIP 21 for BTC, EIP-681 for ETH, Solana Pay's transfer request for SOL. */
export function paymentUri(request: PaymentRequest): string {
  const { currency, network, address, reference, amountBase, label } = request;
  const amount = baseToDecimal(amountBase, COIN_DECIMALS[currency]);
  switch (currency) {
    case 'BTC':
      return `bitcoin:${address}?amount=${amount}`;
    case 'ETH': {
      // Without a chain id a wallet pays on the chain that it is set to, so it is left out only where there is none.
      const chain = /^\d+$/.test(network) ? `@${network}` : '';
      return `ethereum:${address}${chain}?value=${amountBase}`;
    }
    case 'SOL': {
      const carried = reference === null ? '' : `&reference=${reference}`;
      return `solana:${address}?amount=${amount}${carried}&label=${encodeURIComponent(label)}`;
    }
  }
}
