import OpenAI, { APIError, type ClientOptions } from 'openai';
import { ledgerFaults } from '../ledger/ledger-faults';
import { TestService } from '../api/service';
import type { TestAccount } from '../api/world';
import { openReservations } from '../ledger/open-reservations';

/** An entry of UPSTREAMS, as an operator writes it. */
export interface UpstreamEntry {
  readonly name: string;
  readonly base_url: string;
  readonly api_key?: string;
  readonly messages_key?: 'x-api-key' | 'bearer';
  readonly models?: readonly {
    readonly id: string;
    readonly aliases?: readonly string[];
    readonly input_price_per_token_usd?: string;
    readonly output_price_per_token_usd?: string;
    readonly cached_input_price_per_token_usd?: string;
    readonly max_output_tokens?: number;
    readonly part_tokens?: Readonly<Record<string, number>>;
  }[];
  readonly part_tokens?: Readonly<Record<string, number>>;
  readonly pass_fields?: Readonly<Record<string, string | null>>;
  readonly connect_timeout_ms?: number;
  readonly first_byte_timeout_ms?: number;
  readonly total_timeout_ms?: number;
}

/** A whole service in front of upstreams, on a port of its own, for clients that speak HTTP. */
export class ServiceWithUpstreams {
  private constructor(
    readonly service: TestService,
    /** Without a slash at its end. */
    readonly url: string,
  ) {}

  static async start(
    upstreams: readonly UpstreamEntry[],
    environment: Record<string, string> = {},
  ): Promise<ServiceWithUpstreams> {
    const service = await TestService.start({ UPSTREAMS: JSON.stringify(upstreams), ...environment });
    await service.app.listen(0, '127.0.0.1');
    return new ServiceWithUpstreams(service, await service.app.getUrl());
  }

  /** The official client, as an account's program would have it; it does not retry unless told to. */
  clientOf(account: Pick<TestAccount, 'key'>, options: ClientOptions = {}): OpenAI {
    return new OpenAI({ apiKey: account.key, baseURL: `${this.url}/v1`, maxRetries: 0, ...options });
  }

  /** What is wrong after all calls have ended: the books, and reservations that nothing has taken back. */
  async faults(): Promise<string[]> {
    const open = await openReservations(this.service);
    const faults = await ledgerFaults(this.service.database);
    return [...faults, ...open.map((reservation) => `open: ${JSON.stringify(reservation)}`)];
  }

  /** What the newest call of an account was charged, by its receipt. */
  async lastReceipt(account: Pick<TestAccount, 'id'>): Promise<Receipt> {
    const [row] = await this.service.database.query<ReceiptRow[]>(
      `SELECT outcome, status, charged_nano, input_tokens, output_tokens FROM calls
       WHERE account_id = $1 ORDER BY id DESC LIMIT 1`,
      [account.id],
    );
    if (!row) {
      throw new Error('the account has no receipt');
    }
    const { outcome, status, charged_nano, input_tokens, output_tokens } = row;
    return {
      outcome,
      status,
      chargedNanoUsd: BigInt(charged_nano),
      inputTokens: input_tokens,
      outputTokens: output_tokens,
    };
  }

  async stop(): Promise<void> {
    await this.service.stop();
  }
}

export interface Receipt {
  outcome: string;
  status: number;
  chargedNanoUsd: bigint;
  inputTokens: number;
  outputTokens: number;
}

interface ReceiptRow {
  outcome: string;
  status: number;
  charged_nano: string;
  input_tokens: number;
  output_tokens: number;
}

/** The error that a call of the official client ends with; a call that succeeds fails the test. */
export async function apiErrorOf(call: Promise<unknown>): Promise<APIError> {
  const outcome = await call.catch((error: unknown) => error);
  if (!(outcome instanceof APIError)) {
    throw new Error(`the call did not fail as one of the API: ${String(outcome)}`);
  }
  return outcome;
}
