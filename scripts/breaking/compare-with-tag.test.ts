import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareWithTag } from './compare-with-tag';

const PATHS = { '/keys': { get: { operationId: 'listKeys', responses: {} } } };

describe('the comparison with the last tag', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'breaking-'));
    mkdirSync(join(root, 'generated'));
    git('init', '--quiet');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function git(...parameters: string[]): void {
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'tag.gpgSign=false'];
    execFileSync('git', [...author, ...parameters], { cwd: root, stdio: 'ignore' });
  }

  function write(version: string, paths: object): void {
    writeFileSync(join(root, 'generated/openapi.json'), JSON.stringify({ info: { version }, paths }));
  }

  function commit(tag?: string): void {
    git('add', '--all');
    git('commit', '--quiet', '--no-gpg-sign', '--message', 'x');
    if (tag !== undefined) {
      git('tag', tag);
    }
  }

  it('says that there is none, and compares nothing', () => {
    write('1.0', PATHS);
    commit('nightly');
    const { text, isRefused } = compareWithTag(root);
    expect([isRefused, text]).toEqual([false, expect.stringMatching(/^No tag v\*: /)]);
  });

  it('refuses what the latest release has and this document lacks, until the major version is higher', () => {
    write('1.0', {});
    commit('v1.0.0');
    write('1.0', PATHS);
    commit('v1.1.0');
    write('1.1', {});
    const { text, isRefused } = compareWithTag(root);
    expect([isRefused, text]).toEqual([true, expect.stringContaining('GET /keys: removed')]);
    expect(text).toContain('v1.1.0');
    expect(compareWithTag(root, 'v1.0.0').isRefused).toBe(false);
    write('2.0', {});
    expect(compareWithTag(root).isRefused).toBe(false);
  });

  it('fails where the tag has no document', () => {
    writeFileSync(join(root, 'README.md'), 'nothing yet');
    commit('v0.1.0');
    write('1.0', PATHS);
    expect(() => compareWithTag(root)).toThrow('git knows no generated/openapi.json of v0.1.0');
  });
});
