import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeEmbeddedCheckout } from '../support/processes/embedded-checkout';
import { EmbeddedFixture } from '../support/upstream/embedded-fixture';

const fixture = new EmbeddedFixture();
afterAll(() => fixture.cleanUp());

describe('an installation of the embedded Postgres', () => {
  it('gets the links between libraries that no install script made', async () => {
    const checkout = await makeEmbeddedCheckout(fixture.newFolder());
    await checkout.removeLinks();
    await fixture.ownBriefly({ checkout, dataFolder: fixture.newDataFolder() });
    expect(existsSync(join(checkout.postgresPackage, firstLink(checkout.postgresPackage)))).toBe(true);
  });

  it('is copied into the data folder when the links are missing and cannot be made', async () => {
    const checkout = await makeEmbeddedCheckout(fixture.newFolder());
    await checkout.removeLinks();
    const libraries = join(checkout.postgresPackage, 'native', 'lib');
    chmodSync(libraries, 0o555);
    const user = fixture.ordinaryUser;
    const dataFolder = fixture.newDataFolder(user);
    await fixture.ownBriefly({ checkout, dataFolder, runAs: fixture.runAs(user) });
    expect(readdirSync(dataFolder)).toContainEqual(expect.stringMatching(/^postgres-binaries-\d+[^/]*$/));
    chmodSync(libraries, 0o755);
  });

  it('says so when there is no build for the platform', async () => {
    const checkout = await makeEmbeddedCheckout(fixture.newFolder());
    rmSync(checkout.postgresPackage, { recursive: true });
    const owner = fixture.start({ checkout, dataFolder: fixture.newDataFolder() });
    expect(await owner.first('failed')).toBe(
      `EmbeddedPostgresError: embedded Postgres has no build for ${process.platform}-${process.arch}, ` +
        'or it is not installed; set DATABASE_URL',
    );
  });

  it('says so when the machine cannot run the programs', async () => {
    const checkout = await makeEmbeddedCheckout(fixture.newFolder());
    const program = join(checkout.postgresPackage, 'native', 'bin', 'postgres');
    writeFileSync(program, '#!/bin/sh\necho "version GLIBC_2.27 not found" >&2\nexit 1\n');
    const dataFolder = fixture.newDataFolder();
    const owner = fixture.start({ checkout, dataFolder });
    expect(await owner.first('failed')).toMatch(/does not run on this machine.*set DATABASE_URL.*GLIBC_2.27/);
    expect(readdirSync(dataFolder)).toEqual([]);
  });
});

if (fixture.isRoot) {
  describe('root, in a folder that others cannot enter', () => {
    it('keeps programs and data in a place that the database user can enter, and finds them again', async () => {
      const closed = fixture.newFolder();
      chmodSync(closed, 0o700);
      const checkout = await makeEmbeddedCheckout(join(closed, 'checkout'));
      const options = { checkout, dataFolder: join(closed, 'data') };
      const first = await fixture.ownBriefly(options);
      const place = readFileSync(join(options.dataFolder, 'postgres-is-at'), 'utf8').trim();
      fixture.removeAtEnd(place);
      expect(readdirSync(place)).toEqual(expect.arrayContaining(['postgres', 'postgres.log']));

      const second = fixture.start(options);
      const url = await second.first('ready');
      expect(await fixture.storedIds(url)).toEqual(expect.arrayContaining(first.all('acknowledged')));
      await second.signal('SIGTERM');
    });

    it('refuses to begin an empty database where the user lost access to a full one', async () => {
      const parent = fixture.newFolder();
      const checkout = await makeEmbeddedCheckout(fixture.newFolder());
      const options = { checkout, dataFolder: join(parent, 'data') };
      await fixture.ownBriefly(options);
      chmodSync(parent, 0o700);
      expect(await fixture.start(options).first('failed')).toContain('can no longer enter that folder');
    });
  });
}

function firstLink(postgresPackage: string): string {
  const list = readFileSync(join(postgresPackage, 'native', 'pg-symlinks.json'), 'utf8');
  const [first] = JSON.parse(list) as { target: string }[];
  return first?.target ?? 'none';
}
