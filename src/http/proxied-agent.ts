import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool, ProxyAgent } from 'undici';
import { isProxyNamed } from '../config/environment';

export const NO_PROXY = 'none';

interface AgentOptions {
  readonly connectTimeoutMs: number;
  readonly agent: Agent.Options;
  /** The address of a proxy, or NO_PROXY; null for what the environment says. */
  readonly proxyUrl?: string | null;
}

/** undici reads HTTP(S)_PROXY and NO_PROXY. Requests for http are sent whole: many proxies connect to 443 alone. */
export function proxiedAgent({ connectTimeoutMs, agent, proxyUrl = null }: AgentOptions): Dispatcher {
  // What reads them takes the address of each request apart, also where there is no proxy.
  const isDirect = proxyUrl === null && !isProxyNamed();
  if (isDirect || proxyUrl === NO_PROXY) {
    return new Agent(agent);
  }
  const options = {
    ...agent,
    proxyTunnel: false,
    proxyTls: { timeout: connectTimeoutMs },
    requestTls: { timeout: connectTimeoutMs },
    // Pools of undici's own would have other bounds.
    factory: (origin: string | URL, pool: Pool.Options) =>
      new Pool(origin, { ...pool, ...agent, connect: pool.connect }),
    clientFactory: (origin: URL, pool: object) =>
      new Pool(origin, { ...pool, headersTimeout: connectTimeoutMs }),
  };
  return proxyUrl === null ? new EnvHttpProxyAgent(options) : new ProxyAgent({ ...options, uri: proxyUrl });
}

export function isConnectTimeout({ code }: NodeJS.ErrnoException): boolean {
  return code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT';
}
