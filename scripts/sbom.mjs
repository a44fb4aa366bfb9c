/**
 * Prints the bill of materials that npm makes (CycloneDX) of the package in this folder, without what only its development
 * needs; further arguments go to npm. npm names the package after the folder, which may be called anything, so it gets its own
 * name here. npm's own --omit=dev is no use: it also leaves out what the service needs itself as soon as a tool needs it too,
 * as rxjs or ajv, so a scanner would not look at them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const COMMAND = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
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
bill.metadata.component.name = read('package.json').name;
const left = developmentAlone();
bill.components = bill.components.filter((component) => !left.has(component['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => !left.has(ref))
  .map(({ dependsOn = [], ...rest }) => ({ ...rest, dependsOn: dependsOn.filter((ref) => !left.has(ref)) }));
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);

/**
 * Packages that nothing but development needs, as the bill refers to them. The lock knows: the bill has one entry for a version
 * that is in two folders, and marks it by the first of them.
 */
function developmentAlone() {
  const refs = { dev: new Set(), needed: new Set() };
  for (const [path, { name = path.replace(/^.*node_modules\//, ''), version, dev }] of Object.entries(
    read('package-lock.json').packages,
  )) {
    refs[dev === true ? 'dev' : 'needed'].add(`${name}@${version}`);
  }
  return new Set([...refs.dev].filter((ref) => !refs.needed.has(ref)));
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
