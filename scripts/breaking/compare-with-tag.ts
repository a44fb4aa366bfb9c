import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breakingChanges, type ComparedDocument } from './document-changes';
import { judgeChanges, type Verdict } from './judge-changes';

const DOCUMENT = 'generated/openapi.json';
const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Compares the project's generated/openapi.json with the one of a tag.
 * @param root the project's folder, of which git knows
 * @param tag by default the latest v* before this commit; any name of a commit will do
 * @throws where the tag has no document
 */
export function compareWithTag(root: string, tag = latestTag(root)): Verdict {
  if (tag === null) {
    const where =
      git(root, 'rev-parse', '--is-shallow-repository') === 'true' ? ' in this shallow clone' : '';
    const text = `No tag v*${where}: there is no release that could be broken. Nothing was compared.\n`;
    return { text, isRefused: false };
  }
  const old = JSON.parse(documentOf(root, tag)) as ComparedDocument;
  const now = JSON.parse(readFileSync(join(root, DOCUMENT), 'utf8')) as ComparedDocument;
  return judgeChanges(breakingChanges(old, now), { tag, versions: [old.info.version, now.info.version] });
}

function latestTag(root: string): string | null {
  try {
    return git(root, 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*');
  } catch {
    return null;
  }
}

function documentOf(root: string, tag: string): string {
  try {
    return git(root, 'show', `${tag}:${DOCUMENT}`);
  } catch (error) {
    throw new Error(`git knows no ${DOCUMENT} of ${tag}`, { cause: error });
  }
}

function git(root: string, ...parameters: string[]): string {
  return execFileSync('git', parameters, {
    cwd: root,
    maxBuffer: DOCUMENT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .toString()
    .trim();
}
