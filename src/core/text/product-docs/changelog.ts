import { commitsIn, type Commit } from './commits';
import { isCode } from './is-code';
import { placeToFillIn, writtenPage, type PageSection, type WrittenPage } from './written-page';

const CHANGES = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const;
type Change = (typeof CHANGES)[number];

const OTHERS = 'Not classified';
const ENTRIES_MAX = 2_000;
/** In UTF-16 units: some dozens of commits. More is not read before a call is paid for. */
const HEAD_LENGTH_MAX = 8_000;
const TYPES: Readonly<Record<string, Change>> = {
  feat: 'Added',
  feature: 'Added',
  fix: 'Fixed',
  bugfix: 'Fixed',
  hotfix: 'Fixed',
  perf: 'Changed',
  refactor: 'Changed',
  revert: 'Changed',
  change: 'Changed',
  deprecate: 'Deprecated',
  remove: 'Removed',
  security: 'Security',
};
/** Types that a reader of a changelog does not look for. */
const INTERNAL = new Set(['build', 'chore', 'ci', 'docs', 'doc', 'style', 'test', 'tests']);
/** First words of commits without a type. */
const VERBS: Readonly<Record<string, Change>> = {
  add: 'Added',
  introduce: 'Added',
  support: 'Added',
  fix: 'Fixed',
  correct: 'Fixed',
  repair: 'Fixed',
  remove: 'Removed',
  delete: 'Removed',
  drop: 'Removed',
  deprecate: 'Deprecated',
  change: 'Changed',
  update: 'Changed',
  improve: 'Changed',
  rename: 'Changed',
  move: 'Changed',
  replace: 'Changed',
  refactor: 'Changed',
};

/**
 * A changelog from commits, one a line or as `git log` prints them. A commit's type of Conventional Commits, or else its first
 * word, says where it belongs; what neither says stands under "Not classified". Breaking changes come first.
 * Sources: Keep a Changelog 1.1.0; Conventional Commits 1.0.0.
 * @param version of the release; null for what is not released yet
 */
export function changelogOf({ source, version }: { source: string; version: string | null }): WrittenPage {
  const { commits, merges } = commitsIn(source);
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
    ...(left === 0 ? [] : [`${left} commits, because the page would be too long.`]),
  ];
  return writtenPage('Changelog', [release(version), ...sectionsOf(groups)], omitted);
}

/** Whether a text is a list of commits: no code, and one at its beginning says by its type or its first word what it is. */
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
  if (type !== null) {
    return Object.hasOwn(TYPES, type) ? (TYPES[type] ?? null) : null;
  }
  const first = /^\p{L}{1,20}/u.exec(text)?.[0].toLowerCase() ?? '';
  const forms = [first, ...(/(?:d|s|es|ed)$/u.test(first) ? stemsOf(first) : [])];
  const verb = forms.find((form) => Object.hasOwn(VERBS, form));
  return verb === undefined ? null : (VERBS[verb] ?? null);
}

/** What a form such as "fixes", "removed" or "dropped" may come from. */
function stemsOf(form: string): string[] {
  const bare = form.replace(/(?:es|ed)$/u, '');
  return [form.replace(/[sd]$/u, ''), bare, bare.replace(/(\p{L})\1$/u, '$1')];
}

function entryOf({ scope, text, isBreaking, breaking, hash }: Commit): string {
  const parts = [
    isBreaking ? '**Breaking:**' : '',
    scope === null ? '' : `**${scope}:**`,
    text,
    breaking === null ? '' : `— ${breaking}`,
    hash === null ? '' : `(${hash})`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
