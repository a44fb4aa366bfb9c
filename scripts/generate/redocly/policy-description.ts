import type { Oas3Operation, Oas3Preprocessor } from '@redocly/openapi-core';
import { RATE_MULTIPLIERS, type RateClass } from '../../../src/accounts/rate-limiter';
import { at } from '../json';

/** What the reference calls the classes. */
const RATE_TITLES: Record<RateClass, string> = {
  health: 'Health checks',
  read: 'Read operations',
  write: 'Write operations',
  llm: 'LLM generation',
  heavy: 'Heavy processing',
};
const RECENT_PASSWORD =
  '**Password:** a console session must have shown it in the last 10 minutes (403 `Password needed`)';
const COUNTED: Record<string, string> = {
  input: 'of the input',
  input_and_output: 'of input and output',
};

/**
 * Ends every operation's description with its price, rate class and role, which Swagger UI and client generators don't
 * show otherwise. The role moves from `security` to `x-role`: OpenAPI 3.1 lets it stand there, but many readers take it
 * for a scope of OAuth and miss its declaration.
 */
export const policyDescription: Oas3Preprocessor = () => {
  let root: unknown;
  return {
    Root: {
      enter(document: unknown) {
        root = document;
      },
    },
    Paths: {
      PathItem: {
        Operation: {
          enter(operation: Oas3Operation) {
            const definition = operation as unknown as Record<string, unknown>;
            const role = at(definition, 'security', 0, 'accountToken', 0);
            if (role !== undefined) {
              definition['x-role'] = role;
              definition.security = [{ accountToken: [] }];
            }
            const lines = [
              `**Price:** ${priceText(root, definition['x-price'])}`,
              `**Rate:** ${rateText(definition['x-rate'])}`,
              ...(role === undefined ? [] : [`**Role:** ${String(role)}`]),
              ...(definition['x-recent-password'] === true ? [RECENT_PASSWORD] : []),
            ];
            const said = operation.description?.trim() ?? `${operation.summary}.`;
            operation.description = [said, lines.join('  \n')].join('\n\n');
          },
        },
      },
    },
  };
};

function priceText(root: unknown, name: unknown): string {
  const price = at(root, 'x-prices', String(name));
  if (price === undefined) {
    return 'free';
  }
  const perToken = at(price, 'per_token');
  const tokens =
    perToken === undefined
      ? ''
      : ` and ${String(perToken)} USD a token ${COUNTED[String(at(price, 'counts'))] ?? ''}`;
  const amounts = `${String(at(price, 'title'))}, ${String(at(price, 'base'))} USD a call${tokens}`;
  return `${amounts}; \`GET /api/pricing\` tells what is in force here`;
}

function rateText(rate: unknown): string {
  if (!Object.hasOwn(RATE_TITLES, String(rate))) {
    return 'unknown';
  }
  const multiplier = RATE_MULTIPLIERS[rate as RateClass];
  const share = multiplier === null ? 'no limit' : `${multiplier} × the rates of the account's tier`;
  return `${RATE_TITLES[rate as RateClass]}, ${share}`;
}
