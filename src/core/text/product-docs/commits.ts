/** A commit as its message says it. */
export interface Commit {
  /** Of Conventional Commits, in lower case; null where the message has none. */
  readonly type: string | null;
  readonly scope: string | null;
  readonly text: string;
  readonly isBreaking: boolean;
  /** What the message's footer says that breaks; null where there is none. */
  readonly breaking: string | null;
  /** The first 7 digits; null where the list has none. */
  readonly hash: string | null;
}

/** In UTF-16 units. */
const LINE_LENGTH_MAX = 500;
const FULL_LOG = /^commit [0-9a-f]{7,64}\b/mu;
const FULL_LOG_FIELD = /^(?:Author|AuthorDate|Commit|CommitDate|Date|Merge):\s/u;
const BULLET = /^(?:[-*•]|\d{1,4}[.)])[ \t]+/u;
const HASH = /^\(?([0-9a-f]{7,40})\)?[ \t]+(?=\S)/u;
/** Names of branches and tags, as `git log --oneline --decorate` puts them behind the hash. */
const DECORATION = /^\((?:HEAD|tag: |origin\/)[^()]{0,200}\)[ \t]+/u;
const CONVENTIONAL = /^([A-Za-z]{2,20})(?:\(([^()]{1,60})\))?(!)?:[ \t]{1,4}(\S.*)$/u;
const BREAKING = /^BREAKING[ -]CHANGE:\s*(\S.*)$/u;
const MERGE = /^Merge (?:branch|pull request|remote-tracking branch|tag|commit)\b/u;
const TYPES = new Set(
  (
    'feat feature fix bugfix hotfix perf refactor revert change deprecate remove security ' +
    'build chore ci docs doc style test tests'
  ).split(' '),
);

/** The commits of a list with one a line, or of a log as `git log` prints it, and how many only merge others. */
export function commitsIn(source: string): { commits: Commit[]; merges: number } {
  const commits: Commit[] = [];
  let merges = 0;
  for (const { line, hash } of messageLines(source)) {
    const breaking = BREAKING.exec(line)?.[1];
    const last = commits.at(-1);
    if (breaking !== undefined && last) {
      commits[commits.length - 1] = { ...last, isBreaking: true, breaking };
    } else if (MERGE.test(line)) {
      merges += 1;
    } else if (/[\p{L}\p{N}]/u.test(line)) {
      commits.push(commitOf(line, hash));
    }
  }
  return { commits, merges };
}

/** The subjects of commits, and the footers that say what breaks. */
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
  const isTyped = TYPES.has(type.toLowerCase());
  return {
    type: isTyped ? type.toLowerCase() : null,
    scope: isTyped ? (scope ?? null) : null,
    text: isTyped ? (text ?? '') : message,
    isBreaking: isTyped && mark !== undefined,
    breaking: null,
    hash: known ?? hash?.slice(0, 7) ?? null,
  };
}
