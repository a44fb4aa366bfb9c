/**
 * Prints the bill of materials that npm makes (CycloneDX) of the package in this folder; further arguments go to npm. npm names
 * the package after the folder, which may be called anything, so it gets its own name here.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const COMMAND = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev'];
/** A tree of some thousand packages has a few megabytes. */
const OUTPUT_BYTES_MAX = 256 * 1_048_576;

const { status, stdout } = spawnSync('npm', [...COMMAND, ...process.argv.slice(2)], {
  stdio: ['ignore', 'pipe', 'inherit'],
  maxBuffer: OUTPUT_BYTES_MAX,
  encoding: 'utf8',
});
if (status !== 0) {
  process.stderr.write(stdout ?? '');
  process.exit(status ?? 1);
}
const bill = JSON.parse(stdout);
bill.metadata.component.name = JSON.parse(readFileSync('package.json', 'utf8')).name;
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
