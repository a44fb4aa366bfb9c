import { nanoToUsd, NANO_PER_USD, usdToNano } from '../../ledger/money';
import { isObject } from '../../runtime/json';
import { CURRENCIES, type Currency } from './payment-chain';

export interface RequiredConfirmations {
  /** Where finality is wanted: after how many it usually comes, for people to read. */
  readonly confirmations: number;
  /** Whether the chain itself has to say that it is final. */
  readonly needsFinal: boolean;
}

/** `up_to_usd` is null for the last rule. */
export interface ConfirmationTier {
  readonly up_to_usd: number | null;
  readonly confirmations: number;
}

interface Rule extends RequiredConfirmations {
  readonly upToNanoUsd: bigint | null;
}

type RulesByCurrency = Readonly<Record<Currency, readonly Rule[]>>;

/** `finalAfter` is null for a chain that knows no finality. */
const CHAIN_BOUNDS: Readonly<Record<Currency, { countMax: number; finalAfter: number | null }>> = {
  // As deep as a coinbase has to be before it can be spent: nobody waits longer.
  BTC: { countMax: 100, finalAfter: null },
  // Balances are looked up no deeper than this; two epochs of 32 slots make a block final.
  ETH: { countMax: 12, finalAfter: 64 },
  // The node counts to 31, and calls the next one final.
  SOL: { countMax: 31, finalAfter: 32 },
};

const RULES_MAX = 16;
const MEMBERS = ['up_to_usd', 'confirmations'];
const UP_TO_USD_MAX = 1_000_000_000;

const DEFAULT_RULES: RulesByCurrency = {
  BTC: [ruleOf(100, 1), ruleOf(1_000, 2), ruleOf(10_000, 3), ruleOf(null, 6)],
  ETH: [ruleOf(1_000, 12), { upToNanoUsd: null, confirmations: 64, needsFinal: true }],
  SOL: [{ upToNanoUsd: null, confirmations: 32, needsFinal: true }],
};

export class ConfirmationRules {
  constructor(private readonly rules: RulesByCurrency) {}

  /** An amount at a rule's bound is under that rule. */
  requiredFor(currency: Currency, amountNanoUsd: bigint): RequiredConfirmations {
    const rule = this.rules[currency].find(
      ({ upToNanoUsd }) => upToNanoUsd === null || amountNanoUsd <= upToNanoUsd,
    );
    if (rule === undefined) {
      throw new Error(`no rule of confirmations for ${amountNanoUsd} nano-USD of ${currency}`);
    }
    return { confirmations: rule.confirmations, needsFinal: rule.needsFinal };
  }

  tiers(currency: Currency): ConfirmationTier[] {
    return this.rules[currency].map(({ upToNanoUsd, confirmations }) => ({
      up_to_usd: upToNanoUsd === null ? null : nanoToUsd(upToNanoUsd),
      confirmations,
    }));
  }
}

/**
 * Reads the confirmations file: currency → rules such as `[{"up_to_usd": 100, "confirmations": 1}, {"confirmations": 6}]`,
 * ascending, the last one without a bound. A currency that is left out keeps the default rules.
 * @throws Error that names the path of the first unknown or impossible value
 */
export function parseConfirmationRules(json: unknown): ConfirmationRules {
  if (!isObject(json)) {
    throw new Error('the confirmations must be an object');
  }
  const rules: Record<Currency, readonly Rule[]> = { ...DEFAULT_RULES };
  for (const [currency, list] of Object.entries(json)) {
    if (!isCurrency(currency)) {
      throw new Error(`${currency} is not a currency; known are ${CURRENCIES.join(', ')}`);
    }
    rules[currency] = parseList(list, currency);
  }
  return new ConfirmationRules(rules);
}

function parseList(list: unknown, currency: Currency): Rule[] {
  if (!Array.isArray(list) || list.length < 1 || list.length > RULES_MAX) {
    throw new Error(`${currency} must be a list of 1 to ${RULES_MAX} rules`);
  }
  const rules = (list as unknown[]).map((value, index) =>
    parseRule(value, `${currency}[${index}]`, currency, index === list.length - 1),
  );
  rules.forEach((rule, index) => requireAscent(rules[index - 1], rule, `${currency}[${index}]`));
  return rules;
}

function parseRule(value: unknown, path: string, currency: Currency, isLast: boolean): Rule {
  if (!isObject(value)) {
    throw new Error(`${path} must be an object`);
  }
  const unknown = Object.keys(value).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) {
    throw new Error(`${path}.${unknown} is not known; known are ${MEMBERS.join(', ')}`);
  }
  // Otherwise nothing would say what a larger amount needs.
  if (isLast && value.up_to_usd !== undefined) {
    throw new Error(`${path} is the last rule and must have no up_to_usd`);
  }
  return {
    upToNanoUsd: isLast ? null : parseBound(value.up_to_usd, `${path}.up_to_usd`),
    ...parseConfirmations(value.confirmations, `${path}.confirmations`, currency),
  };
}

function parseBound(value: unknown, path: string): bigint {
  if (typeof value === 'number' && value > 0 && value <= UP_TO_USD_MAX) {
    const nanoUsd = usdToNano(value);
    if (nanoToUsd(nanoUsd) === value) {
      return nanoUsd;
    }
  }
  throw new Error(
    `${path} must be a number above 0 and up to ${UP_TO_USD_MAX}, of at most nine decimal places`,
  );
}

function parseConfirmations(value: unknown, path: string, currency: Currency): RequiredConfirmations {
  const { countMax, finalAfter } = CHAIN_BOUNDS[currency];
  if (finalAfter !== null && value === 'finalized') {
    return { confirmations: finalAfter, needsFinal: true };
  }
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= countMax) {
    return { confirmations: value, needsFinal: false };
  }
  const final = finalAfter === null ? '' : ', or "finalized"';
  throw new Error(`${path} must be a whole number from 1 to ${countMax}${final}`);
}

/** A larger amount must never be credited on less. */
function requireAscent(before: Rule | undefined, rule: Rule, path: string): void {
  if (!before) {
    return;
  }
  if (before.upToNanoUsd !== null && rule.upToNanoUsd !== null && rule.upToNanoUsd <= before.upToNanoUsd) {
    throw new Error(`${path}.up_to_usd must be above that of the rule before it`);
  }
  if (rule.confirmations < before.confirmations) {
    throw new Error(`${path}.confirmations must not be less than those of the rule before it`);
  }
}

function ruleOf(upToUsd: number | null, confirmations: number): Rule {
  const upToNanoUsd = upToUsd === null ? null : BigInt(upToUsd) * NANO_PER_USD;
  return { upToNanoUsd, confirmations, needsFinal: false };
}

function isCurrency(name: string): name is Currency {
  return Object.hasOwn(DEFAULT_RULES, name);
}
