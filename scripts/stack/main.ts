import { stackSettings } from './stack-settings';
import { Stack } from './stack';

/** Starts the stack, and ends it on the first signal. A second one changes nothing: what is in hand is still finished. */
async function main(): Promise<void> {
  const log = (line: string): void => void process.stdout.write(`${line}\n`);
  const signal = new Promise<void>((resolve) => {
    process.on('SIGINT', () => resolve());
    process.on('SIGTERM', () => resolve());
  });
  const starting = Stack.start({ ...stackSettings(process.env), environment: process.env, log });
  // A signal during the start waits for its end: nothing that was started may stay behind.
  const stack = await starting;
  log(`\nService            ${stack.url}\nDocumentation      ${stack.url}/docs`);
  log(`Metrics            ${metricsOf(stack.metricsUrl, process.env)}\n`);
  await signal;
  log('stack | stops');
  await stack.stop();
  log('stack | ended');
}

/** How to read the metrics of one process: each counts its own, at the random port that its line above names. */
function metricsOf(
  url: string,
  { METRICS_TOKEN: token, METRICS_TOKEN_FILE: file }: NodeJS.ProcessEnv,
): string {
  if (!token && !file) {
    return 'none: set METRICS_TOKEN';
  }
  const shown = token ? '$METRICS_TOKEN' : `$(cat '${file}')`;
  return `of each process at its own port: curl -H "authorization: Bearer ${shown}" ${url}`;
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
