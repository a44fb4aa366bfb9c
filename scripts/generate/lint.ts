import { formatProblems, getTotals, lint, lintConfig, loadConfig } from '@redocly/openapi-core';
import { resolve } from 'node:path';

/** `npm run lint:document`: shows all that the rules of redocly.yaml find, and ends with 1 where one of it is an error. */
async function main(): Promise<void> {
  const config = await loadConfig({ configPath: resolve('redocly.yaml') });
  const problems = await lintConfig({ config });
  for (const { root } of Object.values(config.resolvedConfig.apis ?? {})) {
    problems.push(...(await lint({ ref: resolve(root), config })));
  }
  const totals = getTotals(problems);
  formatProblems(problems, { totals });
  process.stdout.write(`errors: ${totals.errors}, warnings: ${totals.warnings}\n`);
  process.exitCode = totals.errors > 0 ? 1 : 0;
}

void main();
