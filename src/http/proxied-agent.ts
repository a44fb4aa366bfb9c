import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool, ProxyAgent } from 'undici';

export const NO_PROXY = 'none';

interface AgentOptions {
  readonly connectTimeoutMs: number;
  readonly agent: Agent.Options;
  /** The address of a proxy, or NO_PROXY; null for what the environment says. */
  readonly proxyUrl?: string | null;
}

/**
 * The connections to one of the operator's servers. undici reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY as curl does. A proxy is
 * asked to connect to an https address (CONNECT), and is sent requests for http addresses as a whole: many proxies connect to
 * the port of https alone.
 */
export function proxiedAgent({ connectTimeoutMs, agent, proxyUrl = null }: AgentOptions): Dispatcher {
  if (proxyUrl === NO_PROXY) {
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
