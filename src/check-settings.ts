import { readFileSync } from 'node:fs';
import { prices } from '../generated/contract';
import { parseRateTiers } from './accounts/rate-limiter';
import { type Configuration, InvalidConfiguration } from './config/configuration';
import { trustedAuthorities } from './http/outbound/outbound-http';
import { modelPrices, PriceList, surchargeTexts } from './ledger/money';
import { PaymentChains } from './modules/billing/payment-chains';
import { parseConfirmationRules } from './modules/billing/payment-policy';
import { readPriceSources } from './modules/billing/price-source-settings';
import { SystemClock } from './runtime/clock';

/** Checks settings and operator's files before anything starts. @throws InvalidConfiguration */
export function checkSettings(configuration: Configuration): void {
  filesOf(configuration);
  const { faults } = readPriceSources(configuration.priceSources);
  if (faults.length > 0) {
    throw new InvalidConfiguration(faults);
  }
  void PaymentChains.of(configuration, new SystemClock()).onApplicationShutdown();
}

export function filesOf(configuration: Configuration) {
  const { outboundCaFile } = configuration;
  return {
    authorities: valid(`OUTBOUND_CA_FILE (${outboundCaFile})`, () => trustedAuthorities(outboundCaFile)),
    prices: priceList(configuration),
    confirmationRules: fromFile(
      'PAYMENT_CONFIRMATIONS_FILE',
      configuration.paymentConfirmationsFile,
      parseConfirmationRules,
    ),
    rateTiers: fromFile('RATE_TIERS_FILE', configuration.rateTiersFile, parseRateTiers),
  };
}

function priceList({ pricesFile, upstreams }: Configuration): PriceList {
  const models = valid('UPSTREAMS', () => modelPrices(upstreams));
  const surcharges = surchargeTexts(upstreams);
  return fromFile('PRICES_FILE', pricesFile, (json) => new PriceList(prices, json, models, surcharges));
}

/** @param make gets `{}` without a file. @throws InvalidConfiguration naming the variable and the file */
function fromFile<Result>(variable: string, path: string | null, make: (json: unknown) => Result): Result {
  return valid(`${variable} (${path})`, () =>
    make(path === null ? {} : (JSON.parse(readFileSync(path, 'utf8')) as unknown)),
  );
}

function valid<Result>(variable: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw new InvalidConfiguration([`${variable}: ${(error as Error).message}`]);
  }
}
