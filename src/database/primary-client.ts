import { Client, type ClientConfig } from 'pg';
import { addressesOfHosts } from '../config/server-addresses';
import { NoPrimary, textOf } from './driver-errors';

/** Of several servers each has so much time for either: one that is gone leaves some for the others. */
const ANSWERED_WITHIN_MS = 2_000;
/** What libpq asks for target_session_attrs=read-write. It is on in a standby, and where the server is set to take no writes. */
const IS_READ_ONLY = { text: 'SHOW transaction_read_only', query_timeout: ANSWERED_WITHIN_MS };

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Several servers of one database, of which one takes writes: another one after each failover. */
class Servers {
  private primary: Place | null = null;
  private searching: Promise<Place> | null = null;

  constructor(readonly addresses: readonly string[]) {}

  /** Where the server was that took writes last. Without one all are asked at once. @throws NoPrimary */
  async find(): Promise<Place> {
    return this.primary ?? (this.searching ??= this.search().finally(() => (this.searching = null)));
  }

  /** The server at that place may take no writes any more. */
  forget(place: Place): void {
    this.primary = this.primary === place ? null : this.primary;
  }

  private async search(): Promise<Place> {
    const asked = this.addresses.map(askPrimary);
    this.primary = await Promise.any(asked).catch((error: AggregateError) => {
      throw new NoPrimary(error.errors.map(textOf).join('; '));
    });
    return this.primary;
  }
}

/** By the address that names them all, so that every connection of the process profits from what one has found. */
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

/** @throws Error that names the server, where it is away or takes no writes */
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

/** @throws NoPrimary where the server takes no writes */
async function refuseReadOnly(client: Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(IS_READ_ONLY);
  if (rows[0]?.transaction_read_only !== 'off') {
    throw new NoPrimary('it takes no writes');
  }
}

type ConnectCallback = ((error: Error) => void) | ((error: null, client: Client) => void);

/** With one server it is the driver's own. After a failed attempt, which goes to one server, the primary is looked for. */
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
