import { isCode, type PageSection, placeToFillIn, writtenPage, type WrittenPage } from './docs-page';

interface Commit {
  readonly type: string | null;
  readonly scope: string | null;
  readonly text: string;
  readonly isBreaking: boolean;
  readonly breaking: string | null;
  readonly hash: string | null;
}

const LINE_LENGTH_MAX = 500;
const FULL_LOG = /^commit [0-9a-f]{7,64}\b/mu;
const FULL_LOG_FIELD = /^(?:Author|AuthorDate|Commit|CommitDate|Date|Merge):\s/u;
const BULLET = /^(?:[-*•]|\d{1,4}[.)])[ \t]+/u;
const HASH = /^\(?([0-9a-f]{7,40})\)?[ \t]+(?=\S)/u;
/** Names of branches and tags, as `git log --oneline --decorate` puts them after the hash. */
const DECORATION = /^\((?:HEAD|tag: |origin\/)[^()]{0,200}\)[ \t]+/u;
const CONVENTIONAL = /^([A-Za-z]{2,20})(?:\(([^()]{1,60})\))?(!)?:[ \t]{1,4}(\S.*)$/u;
const BREAKING = /^BREAKING[ -]CHANGE:\s*(\S.*)$/u;
const REVERT = /^Revert "(.{1,400})"$/u;
const MERGE = /^Merge (?:branch|pull request|remote-tracking branch|tag|commit)\b/u;
function commitsIn(source: string): { commits: Commit[]; merges: number } {
  const commits: Commit[] = [];
  let merges = 0;
  for (const { line, hash } of messageLines(source)) {
    const breaking = BREAKING.exec(line)?.[1];
    const last = commits.at(-1);
    if (breaking !== undefined && last) {
      commits[commits.length - 1] = { ...last, isBreaking: true, breaking };
      continue;
    }
    const commit = commitOf(line, hash);
    if (commit.type === null && MERGE.test(commit.text)) {
      merges += 1;
    } else if (/[\p{L}\p{N}]/u.test(line)) {
      commits.push(commit);
    }
  }
  return { commits, merges };
}

function messageLines(source: string): { line: string; hash: string | null }[] {
  const isFull = FULL_LOG.test(source);
  const found: { line: string; hash: string | null }[] = [];
  let [hash, isSubjectDue]: [string | null, boolean] = [null, false];
  for (const raw of source.split('\n')) {
    const line = raw.slice(0, LINE_LENGTH_MAX).toWellFormed().trim();
    const commit = isFull ? /^commit ([0-9a-f]{7})/u.exec(line)?.[1] : undefined;
    if (commit !== undefined) {
      [hash, isSubjectDue] = [commit, true];
    } else if (!isFull) {
      found.push({ line, hash: null });
    } else if (line !== '' && !FULL_LOG_FIELD.test(raw) && (isSubjectDue || BREAKING.test(line))) {
      found.push({ line, hash });
      isSubjectDue = false;
    }
  }
  return found;
}

function commitOf(line: string, known: string | null): Commit {
  const bare = line.replace(BULLET, '');
  // Seven letters from a to f may be a word, such as "defaced"; a hash has a digit.
  const found = HASH.exec(bare)?.[1];
  const hash = found !== undefined && /\d/u.test(found) ? found : undefined;
  const message = (hash === undefined ? bare : bare.replace(HASH, '')).replace(DECORATION, '');
  const [, type = '', scope, mark, text] = CONVENTIONAL.exec(message) ?? [];
  const isTyped = COMMIT_TYPES.has(type.toLowerCase());
  const reverted = REVERT.exec(message)?.[1] ?? (type.toLowerCase() === 'revert' ? text : undefined);
  return {
    type: reverted !== undefined ? 'revert' : isTyped ? type.toLowerCase() : null,
    scope: isTyped ? (scope ?? null) : null,
    text: reverted === undefined ? (isTyped ? (text ?? '') : message) : untyped(reverted),
    isBreaking: isTyped && mark !== undefined,
    breaking: null,
    hash: known ?? hash?.slice(0, 7) ?? null,
  };
}

function untyped(message: string): string {
  const [, type = '', , , text] = CONVENTIONAL.exec(message) ?? [];
  return COMMIT_TYPES.has(type.toLowerCase()) ? (text ?? '') : message;
}

function withoutReverted(commits: readonly Commit[]): Commit[] {
  const reverts = new Map<string, number>();
  const undone = new Set<number>();
  commits.forEach(({ type, text }, index) => type === 'revert' && reverts.set(text, index));
  for (const [index, { type, text }] of commits.entries()) {
    const revert = type === 'revert' ? undefined : reverts.get(text);
    if (revert !== undefined) {
      undone.add(index).add(revert);
      reverts.delete(text);
    }
  }
  return commits.filter((_, index) => !undone.has(index));
}

const CHANGES = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const;
type Change = (typeof CHANGES)[number];

const OTHERS = 'Not classified';
const ENTRIES_MAX = 2_000;
/** In UTF-16 units, some dozens of commits: more is not read before a call is paid for. */
const HEAD_LENGTH_MAX = 8_000;
const TYPES = changesByWord({
  Added: 'feat feature',
  Fixed: 'fix bugfix hotfix',
  Changed: 'perf refactor revert change',
  Deprecated: 'deprecate',
  Removed: 'remove',
  Security: 'security',
});
function changesByWord(words: Readonly<Partial<Record<Change, string>>>): ReadonlyMap<string, Change> {
  const entries = Object.entries(words) as [Change, string][];
  return new Map(entries.flatMap(([change, text]) => text.split(' ').map((word) => [word, change])));
}

const INTERNAL = new Set(['build', 'chore', 'ci', 'docs', 'doc', 'style', 'test', 'tests']);
const COMMIT_TYPES = new Set([...TYPES.keys(), ...INTERNAL]);
const VERBS = changesByWord({
  Added: 'add introduce support',
  Fixed: 'fix correct repair',
  Removed: 'remove delete drop',
  Deprecated: 'deprecate',
  Changed: 'change update improve rename move replace refactor',
});

/** Sources: Keep a Changelog 1.1.0; Conventional Commits 1.0.0. @param version null for what is not released yet */
export function changelogOf({ source, version }: { source: string; version: string | null }): WrittenPage {
  const { commits: all, merges } = commitsIn(source);
  const commits = withoutReverted(all);
  const reverted = (all.length - commits.length) / 2;
  const groups = new Map<string, string[]>([...CHANGES, OTHERS].map((name) => [name, []]));
  const internal = new Map<string, number>();
  const seen = new Set<string>();
  let left = 0;
  for (const commit of commits.sort((one, other) => Number(other.isBreaking) - Number(one.isBreaking))) {
    const type = commit.type ?? '';
    if (INTERNAL.has(type) && !commit.isBreaking) {
      internal.set(type, (internal.get(type) ?? 0) + 1);
      continue;
    }
    const entry = entryOf(commit);
    if (seen.size >= ENTRIES_MAX) {
      left += 1;
    } else if (!seen.has(entry)) {
      seen.add(entry);
      groups.get(changeOf(commit) ?? (commit.isBreaking ? 'Changed' : OTHERS))?.push(entry);
    }
  }
  const omitted = [
    ...[...internal].map(
      ([type, count]) => `${count} ${count === 1 ? 'commit' : 'commits'} of type ${type}.`,
    ),
    ...(merges === 0 ? [] : [`${merges} ${merges === 1 ? 'merge' : 'merges'}.`]),
    ...(reverted === 0 ? [] : [`${reverted} reverted ${reverted === 1 ? 'commit' : 'commits'}.`]),
    ...(left === 0 ? [] : [`${left} commits, because the page would be too long.`]),
  ];
  return writtenPage('Changelog', [release(version), ...sectionsOf(groups)], omitted);
}

export function hasClassifiedCommits(source: string): boolean {
  const head = source.slice(0, HEAD_LENGTH_MAX);
  const { commits } = isCode(head) ? { commits: [] } : commitsIn(head);
  return commits.some((commit) => changeOf(commit) !== null || INTERNAL.has(commit.type ?? ''));
}

function release(version: string | null): PageSection {
  return {
    title: `[${version ?? 'Unreleased'}]`,
    level: 2,
    text: version === null ? '' : placeToFillIn('the date of the release, as YYYY-MM-DD'),
  };
}

function sectionsOf(groups: ReadonlyMap<string, readonly string[]>): PageSection[] {
  return [...groups]
    .filter(([, entries]) => entries.length > 0)
    .map(([title, entries]) => ({ title, level: 3, text: entries.map((entry) => `- ${entry}`).join('\n') }));
}

function changeOf({ type, text }: Commit): Change | null {
  const change = TYPES.get(type ?? '') ?? null;
  if (type !== null && (type === 'revert' || (change !== 'Added' && change !== 'Changed'))) {
    return change;
  }
  const verb = verbOf(text);
  return type === null || verb === 'Removed' ? verb : change;
}

function verbOf(text: string): Change | null {
  const first = /^\p{L}{1,20}/u.exec(text)?.[0].toLowerCase() ?? '';
  const forms = [first, ...(/(?:d|s|es|ed)$/u.test(first) ? stemsOf(first) : [])];
  return VERBS.get(forms.find((form) => VERBS.has(form)) ?? '') ?? null;
}

function stemsOf(form: string): string[] {
  const bare = form.replace(/(?:es|ed)$/u, '');
  return [form.replace(/[sd]$/u, ''), bare, bare.replace(/(\p{L})\1$/u, '$1')];
}

function entryOf({ type, scope, text, isBreaking, breaking, hash }: Commit): string {
  const parts = [
    isBreaking ? '**Breaking:**' : '',
    scope === null ? '' : `**${scope}:**`,
    type === 'revert' ? `Reverted: ${text}` : text,
    breaking === null ? '' : `— ${breaking}`,
    hash === null ? '' : `(${hash})`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
