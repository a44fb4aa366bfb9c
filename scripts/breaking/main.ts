import { compareWithTag } from './compare-with-tag';

/** `npm run lint:breaking`, or `npm run lint:breaking -- v1.2.0`: ends with 1 where a release must not break so. */
function main(): void {
  try {
    const { text, isRefused } = compareWithTag(process.cwd(), process.argv[2]);
    process.stdout.write(text);
    process.exitCode = isRefused ? 1 : 0;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

main();
