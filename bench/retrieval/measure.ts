import 'reflect-metadata';
import { createApplication } from '../../src/application';
import { Configuration } from '../../src/config/configuration';
import { AccountDatabases } from '../../src/database/account-databases';
import { DatabaseUrl } from '../../src/database/connection-pool';
import { RagIndexing } from '../../src/retrieval/rag-indexing';
import { ChunkRetrieval } from '../../src/retrieval/rag-retrieval';
import { searchableText } from '../../src/text/searchable-text';
import { SystemClock } from '../../src/runtime/clock';
import { createAccounts } from '../accounts';
import { startBenchPostgres } from '../bench-postgres';
import { createMigratedDatabase } from '../migrated-database';
import { percentile } from '../statistics';
import { fillWithCopies } from './copies';
import { plainRanking } from './plain-ranking';
import { publicTexts, type PublicText } from './public-text';
import { titledSections } from './titled-sections';

export const CHUNK_COUNTS = [10_000, 100_000];
export const TOP_K = 10;
export const QUERIES = 200;
/** Documents that are indexed at the same time. */
export const INDEXED_AT_ONCE = 4;

/** How long each of the queries took, in milliseconds. */
export interface Times {
  p50Ms: number;
  p99Ms: number;
}

export interface RetrievalResults {
  postgresVersion: string;
  indexed: { megabytes: number; seconds: number; chunks: number };
  /** In the order of the counts. */
  latencies: { chunks: number; ours: Times; plain: Times }[];
}

/**
 * Indexes the manuals in node_modules, fills up the account's chunks with copies, and asks for the same headings by our
 * retrieval and by plain ts_rank in turn, one query at a time, in this process.
 */
export async function measureRetrieval(log: (message: string) => void): Promise<RetrievalResults> {
  const postgres = await startBenchPostgres(log);
  try {
    const databaseUrl = await createMigratedDatabase(postgres, 'retrieval');
    const [account] = await createAccounts(databaseUrl, 1);
    const service = await startService(databaseUrl);
    try {
      const texts = publicTexts();
      const order = { service, accountId: account?.accountId ?? '', log };
      const indexed = await index(texts, order);
      const latencies: RetrievalResults['latencies'] = [];
      for (const chunks of CHUNK_COUNTS) {
        await fillWithCopies(databaseUrl, order.accountId, chunks);
        latencies.push({ chunks, ...(await ask(texts, order)) });
        log(`asked ${QUERIES} times among ${chunks} chunks`);
      }
      return { postgresVersion: postgres.version, indexed, latencies };
    } finally {
      await service.close();
    }
  } finally {
    await postgres.stop();
  }
}

type Service = Awaited<ReturnType<typeof createApplication>>;

interface Order {
  service: Service;
  accountId: string;
  log: (message: string) => void;
}

async function startService(databaseUrl: string): Promise<Service> {
  const jwtSecret = 'a secret for the benchmark that nobody else has';
  const variables = { DATABASE_URL: databaseUrl, JWT_SECRET: jwtSecret, ROLE: 'api', LOG_LEVEL: 'fatal' };
  const clock = new SystemClock();
  const configuration = Configuration.read(variables);
  const service = await createApplication({
    configuration,
    databaseUrl: new DatabaseUrl(databaseUrl),
    jwtSecret,
    clock,
  });
  return service.init();
}

async function index(
  texts: readonly PublicText[],
  { service, accountId, log }: Order,
): Promise<RetrievalResults['indexed']> {
  const indexing = service.get(RagIndexing);
  const { signal } = new AbortController();
  const waiting = texts.map(({ content }, number) => ({ content, documentId: `text-${number}` }));
  const fixed = { collection: 'default', metadata: {}, tokens: 1, callId: null, allowDegraded: false };
  let chunks = 0;
  const startedAtMs = performance.now();
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const indexed = await indexing.index(accountId, { ...next, ...fixed }, signal);
      chunks += indexed.chunks;
    }
  };
  await Promise.all(Array.from({ length: INDEXED_AT_ONCE }, worker));
  const seconds = (performance.now() - startedAtMs) / 1000;
  const megabytes = texts.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0) / 1e6;
  log(`indexed ${megabytes.toFixed(1)} MB, ${chunks} chunks, in ${seconds.toFixed(1)} s`);
  return { megabytes, seconds, chunks };
}

/** Both are asked for each heading, in turn, so that a machine that slows down slows both down. */
async function ask(
  texts: readonly PublicText[],
  { service, accountId }: Order,
): Promise<{ ours: Times; plain: Times }> {
  const retrieval = service.get(ChunkRetrieval);
  const database = service.get(AccountDatabases).of(accountId);
  const { signal } = new AbortController();
  const fixed = { topK: TOP_K, collection: null, filter: null, minScore: null, allowDegraded: false };
  const asked = titledSections(texts, QUERIES).map(({ heading }) => heading);
  const ours: number[] = [];
  const plain: number[] = [];
  for (const query of [...asked.slice(0, TOP_K), ...asked]) {
    ours.push(await timeOf(() => retrieval.retrieve(accountId, { query, ...fixed }, signal)));
    plain.push(await timeOf(() => plainRanking(database, accountId, searchableText(query), TOP_K)));
  }
  // The first few warm both up.
  return { ours: timesOf(ours.slice(TOP_K)), plain: timesOf(plain.slice(TOP_K)) };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

function timesOf(times: number[]): Times {
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
}
