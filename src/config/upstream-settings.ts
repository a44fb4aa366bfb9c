/** An OpenAI-compatible server that UPSTREAMS names; the first in the list is asked first. */
export interface UpstreamSettings {
  name: string;
  /** Up to and including the version: `https://api.example.com/v1`, without a slash at its end. */
  baseUrl: string;
  apiKey: string | null;
  /** Null where the upstream's own list of models holds. */
  models: readonly UpstreamModel[] | null;
  connectTimeoutMs: number;
  firstByteTimeoutMs: number;
  totalTimeoutMs: number;
}

export interface UpstreamModel {
  id: string;
  /** Other names that callers may use; the upstream gets the id. */
  aliases: readonly string[];
  /** Decimal string, USD; null where the operation's own price holds. Both prices are given or neither. */
  inputPricePerTokenUsd: string | null;
  outputPricePerTokenUsd: string | null;
}
