import { Client, type ClientConfig } from 'pg';
import { addressesOfHosts } from '../config/server-addresses';
import { NoPrimary, textOf } from './driver-errors';

/** For each of several servers, so that a dead one leaves time for the others. */
const ANSWERED_WITHIN_MS = 2_000;
/** libpq's test for target_session_attrs=read-write: on in a standby or a read-only server. */
const IS_READ_ONLY = { text: 'SHOW transaction_read_only', query_timeout: ANSWERED_WITHIN_MS };

interface Place {
  readonly host: string;
  readonly port: number;
}

class Servers {
  private primary: Place | null = null;
  private searching: Promise<Place> | null = null;

  constructor(readonly addresses: readonly string[]) {}

  async find(): Promise<Place> {
    return this.primary ?? (this.searching ??= this.search().finally(() => (this.searching = null)));
  }

  forget(place: Place): void {
    this.primary = this.primary === place ? null : this.primary;
  }

  private async search(): Promise<Place> {
    const attempts = this.addresses.map(askPrimary);
    this.primary = await Promise.any(attempts).catch((error: AggregateError) => {
      throw new NoPrimary(error.errors.map(textOf).join('; '));
    });
    return this.primary;
  }
}

/** By the full address, so that all connections use what one has found. */
const known = new Map<string, Servers>();

function serversOf(connectionString: string): Servers | null {
  const addresses = addressesOfHosts(connectionString);
  if (addresses.length === 1) {
    return null;
  }
  const servers = known.get(connectionString) ?? new Servers(addresses);
  known.set(connectionString, servers);
  return servers;
}

/** @throws Error naming a server that is down or takes no writes */
async function askPrimary(connectionString: string): Promise<Place> {
  const client = new Client({ connectionString, connectionTimeoutMillis: ANSWERED_WITHIN_MS });
  client.on('error', () => undefined);
  const { host, port } = client;
  try {
    await client.connect();
    await refuseReadOnly(client);
    return { host, port };
  } catch (cause) {
    throw new Error(`${host}:${port}: ${textOf(cause)}`, { cause });
  } finally {
    client.end().catch(() => undefined);
  }
}

async function refuseReadOnly(client: Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(IS_READ_ONLY);
  if (rows[0]?.transaction_read_only !== 'off') {
    throw new NoPrimary('it takes no writes');
  }
}

type ConnectCallback = ((error: Error) => void) | ((error: null, client: Client) => void);

/** With one server, the driver's own. A failed attempt starts the search for the primary. */
export class PrimaryClient extends Client {
  private readonly servers: Servers | null;

  constructor(config: ClientConfig) {
    const servers = serversOf(config.connectionString ?? '');
    const first = { connectionString: servers?.addresses[0], connectionTimeoutMillis: ANSWERED_WITHIN_MS };
    super(servers ? { ...config, ...first } : config);
    this.servers = servers;
  }

  override connect(): Promise<Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<Client> | void {
    if (!this.servers) {
      return callback ? super.connect(callback) : super.connect();
    }
    const connected = this.connectToPrimary(this.servers);
    if (!callback) {
      return connected;
    }
    connected.then(
      () => callback(null as never, this),
      (error: Error) => callback(error as never, this),
    );
  }

  private async connectToPrimary(servers: Servers): Promise<Client> {
    const place = await servers.find();
    Object.assign(this, place);
    try {
      await super.connect();
      await refuseReadOnly(this);
      return this;
    } catch (error) {
      servers.forget(place);
      super.end().catch(() => undefined);
      throw error;
    }
  }
}
