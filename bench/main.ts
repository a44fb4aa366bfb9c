import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBenchPostgres } from './bench-postgres';
import { measureDeliveries } from './deliveries/measure';
import { deliveriesReport } from './deliveries/report';
import { measureDisk } from './disk';
import { measureEvents } from './events/measure';
import { eventsReport } from './events/report';
import { chooseGenerator } from './load';
import { measurePassThrough } from './pass-through/measure';
import { passThroughReport } from './pass-through/report';
import { measureRetrieval } from './retrieval/measure';
import { retrievalReport } from './retrieval/report';
import { askForUsage, type QueryTimes } from './monitoring-queries';
import { reportOf } from './report';
import { failuresOf, type Results } from './results';
import { measureRouter } from './router/measure';
import { routerReport } from './router/report';
import { unwantedOf } from './router/servers';
import { runRounds } from './rounds';
import { startTarget, type RunningTarget } from './running-target';
import { DEFAULTS, isFull, isLong, readSettings, type Settings } from './settings';
import { measureSockets } from './sockets/measure';
import { socketFailures, socketsReport } from './sockets/report';
import { targetsOf } from './targets';
import { measureText } from './text/groups';

const RESULTS_PATH = 'bench/RESULTS.md';
const REMARKS_PATH = 'bench/REMARKS.md';
const PASS_THROUGH_FOLDER = 'bench/pass-through';
const EVENTS_RESULTS_PATH = 'bench/events/RESULTS.md';
const DELIVERIES_RESULTS_PATH = 'bench/deliveries/RESULTS.md';
const RETRIEVAL_RESULTS_PATH = 'bench/retrieval/RESULTS.md';
const SOCKETS_RESULTS_PATH = 'bench/sockets/RESULTS.md';
const ROUTER_RESULTS_PATH = 'bench/router/RESULTS.md';

/** Stops what was started, one function each, in the order of the starts. */
const started: (() => Promise<void>)[] = [];

/** Runs the parts that were asked for, each with results of its own. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.parts.includes('charge')) {
    await benchCharge(settings);
  }
  if (settings.parts.includes('pass-through')) {
    await benchPassThrough(settings);
  }
  if (settings.parts.includes('events')) {
    await benchEvents(settings);
  }
  if (settings.parts.includes('deliveries')) {
    await benchDeliveries(settings);
  }
  if (settings.parts.includes('retrieval')) {
    await benchRetrieval();
  }
  if (settings.parts.includes('sockets')) {
    await benchSockets(settings);
  }
  if (settings.parts.includes('router') && settings.before !== null) {
    await benchRouter(settings, settings.before);
  }
  if (settings.parts.includes('text')) {
    await measureText(log);
  }
}

/** Starts everything, loads all targets in one interleaved run and reports. */
async function benchCharge(settings: Settings): Promise<void> {
  const profileFolder = makeProfileFolder(settings);
  const results = await measure(settings, profileFolder).finally(stopAll);
  const report = await formatted(
    reportOf(results, existsSync(REMARKS_PATH) ? readFileSync(REMARKS_PATH, 'utf8') : ''),
  );
  log(`\n${report}`);
  const failures = failuresOf(results);
  const path = settings.resultsPath ?? (isFull(settings) ? RESULTS_PATH : null);
  if (failures.length > 0) {
    log(`The run does not count:\n${failures.join('\n')}`);
    process.exitCode = 1;
  } else if (path !== null) {
    writeFileSync(path, report);
    log(`written to ${path}`);
  }
}

/** Measures what the service adds to calls that it passes on. Only runs that are long enough write the results. */
async function benchPassThrough(settings: Settings): Promise<void> {
  const profileFolder = makeProfileFolder(settings);
  const results = await measurePassThrough(settings, { profileFolder, log });
  const remarks = `${PASS_THROUGH_FOLDER}/REMARKS.md`;
  const report = await formatted(
    passThroughReport(results, existsSync(remarks) ? readFileSync(remarks, 'utf8') : ''),
  );
  log(`\n${report}`);
  const failures = results.rounds.reduce((sum, round) => sum + round.failures, 0);
  if (failures > 0) {
    log(`The run does not count: ${failures} calls failed.`);
    process.exitCode = 1;
  } else if (isLong(settings) && settings.targets === null && !settings.isProfiled) {
    writeFileSync(`${PASS_THROUGH_FOLDER}/RESULTS.md`, report);
    log(`written to ${PASS_THROUGH_FOLDER}/RESULTS.md`);
  }
}

/** Measures what a charge's events add to it. Only runs that are long enough write the results. */
async function benchEvents(settings: Settings): Promise<void> {
  const results = await measureEvents(settings, log);
  const report = await formatted(eventsReport(results));
  log(`\n${report}`);
  const failures = results.rounds.reduce((sum, round) => sum + round.failures, 0);
  if (failures > 0) {
    log(`The run does not count: ${failures} calls failed.`);
    process.exitCode = 1;
  } else if (isLong(settings)) {
    writeFileSync(EVENTS_RESULTS_PATH, report);
    log(`written to ${EVENTS_RESULTS_PATH}`);
  }
}

/** Measures how fast one worker delivers events. Only runs that are long enough write the results. */
async function benchDeliveries(settings: Settings): Promise<void> {
  const results = await measureDeliveries(settings, log);
  const report = await formatted(deliveriesReport(results));
  log(`\n${report}`);
  if (results.failures > 0) {
    log(`The run does not count: ${results.failures} deliveries failed.`);
    process.exitCode = 1;
  } else if (isLong(settings) && settings.events >= DEFAULTS.events) {
    writeFileSync(DELIVERIES_RESULTS_PATH, report);
    log(`written to ${DELIVERIES_RESULTS_PATH}`);
  }
}

/** Measures retrieval beside plain ts_rank, and indexing. */
async function benchRetrieval(): Promise<void> {
  const report = await formatted(retrievalReport(await measureRetrieval(log)));
  log(`\n${report}`);
  writeFileSync(RETRIEVAL_RESULTS_PATH, report);
  log(`written to ${RETRIEVAL_RESULTS_PATH}`);
}

/** Measures what sockets cost and how fast rooms are. Only runs that are long enough write the results. */
async function benchSockets(settings: Settings): Promise<void> {
  const results = await measureSockets(settings, log);
  const report = await formatted(socketsReport(results));
  log(`\n${report}`);
  const failures = socketFailures(results);
  if (failures.length > 0) {
    log(`The run does not count: ${failures.join('; ')}.`);
    process.exitCode = 1;
  } else if (isLong(settings)) {
    writeFileSync(SOCKETS_RESULTS_PATH, report);
    log(`written to ${SOCKETS_RESULTS_PATH}`);
  }
}

/** Measures what this checkout costs beside another one. Only runs that are long enough write the results. */
async function benchRouter(settings: Settings, before: string): Promise<void> {
  const profileFolder = makeProfileFolder(settings);
  const results = await measureRouter(settings, { before, profileFolder, log });
  const report = await formatted(routerReport(results));
  log(`\n${report}`);
  const failures = results.rounds.reduce((sum, round) => sum + unwantedOf(round), 0);
  if (failures > 0) {
    log(`The run does not count: ${failures} calls failed.`);
    process.exitCode = 1;
  } else if (isLong(settings) && !settings.isProfiled) {
    writeFileSync(ROUTER_RESULTS_PATH, report);
    log(`written to ${ROUTER_RESULTS_PATH}`);
  }
}

/** Where the metered servers write their profiles when they end; null where none are asked for. */
function makeProfileFolder({ isProfiled }: Settings): string | null {
  if (!isProfiled) {
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-profiles-'));
  log(`CPU profiles of the metered servers go to ${folder}`);
  return folder;
}

async function measure(settings: Settings, profileFolder: string | null): Promise<Results> {
  const targets = targetsOf(settings);
  const generator = chooseGenerator();
  const postgres = await startBenchPostgres(log);
  started.push(postgres.stop);
  const running: RunningTarget[] = [];
  for (const target of targets) {
    log(`starting ${target.name}`);
    const server = await startTarget(target, { postgres, profileFolder, log });
    started.push(server.server.stop);
    running.push(server);
  }
  postgres.pin();
  const disk = await measureDisk(postgres);
  const rounds = await runRounds(running, { settings, generator, postgresPid: postgres.pid, log });
  const queries: QueryTimes[] = [];
  for (const target of running.filter(({ target: { rows } }) => rows > 0)) {
    queries.push(...(await askForUsage(target)));
  }
  return {
    settings,
    generator: generator.name,
    postgresVersion: postgres.version,
    disk,
    targets,
    rounds,
    queries,
  };
}

/** Formats Markdown as the project's files are formatted, because the results become one of them. */
async function formatted(markdown: string): Promise<string> {
  const { format, resolveConfig } = await import('prettier');
  return format(markdown, { ...(await resolveConfig(RESULTS_PATH)), parser: 'markdown' });
}

async function stopAll(): Promise<void> {
  for (const stop of started.splice(0).reverse()) {
    await stop();
  }
}

function log(message: string): void {
  process.stdout.write(`${message}\n`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopAll().finally(() => process.exit(1)));
}

main().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error).stack)}\n`);
  process.exitCode = 1;
});
