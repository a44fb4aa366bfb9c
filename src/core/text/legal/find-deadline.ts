import { MONTH_NAMES } from '../analysis/months';

const NUMBER =
  '(?:\\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|twenty|thirty|forty-five|sixty|ninety|a|an)';
const UNIT =
  '(?:(?:business|working|calendar|consecutive|banking) )?(?:hours?|days?|weeks?|months?|quarters?|years?)';
const BY =
  '(?:within|no later than|not later than|at the latest|on or before|by|before|until|prior to|at least|for|on|from)';
const DATE = `(?:\\d{1,2}(?:st|nd|rd|th)?(?: of| day of)? (?:${MONTH_NAMES})(?:,? \\d{4})?|(?:${MONTH_NAMES}) \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[./]\\d{1,2}[./]\\d{4})`;

const ON_A_DATE = new RegExp(`\\b${BY} (?:the )?${DATE}(?![\\p{L}\\p{N}])`, 'iu');
const IN_A_TIME = new RegExp(
  `\\b(?:within|no later than|not later than|at least|in) (?:a period of )?${NUMBER}(?: \\(\\d{1,4}\\))? ${UNIT}(?![\\p{L}\\p{N}])['’]?(?: (?:of|after|from|following|before|prior to|in advance)\\b[^,.;:()]{0,80})?`,
  'iu',
);
const ON_A_DAY =
  /\b(?:on|by|before|no later than|not later than|until) the (?:first|second|third|fifth|tenth|last|\d{1,2}(?:st|nd|rd|th)) (?:business |working |calendar )?day (?:of|in) (?:each|every|the|that) [^,.;:()]{1,40}/i;
const AT_ONCE =
  /\b(?:immediately|promptly|forthwith|without (?:undue |unreasonable )?delay|(?:up)?on (?:first )?(?:demand|request))\b/i;

/** The words of an obligation that say by when, on one line; null where none do. A date or a period goes before "promptly". */
export function deadlineIn(obligation: string): string | null {
  const line = obligation.slice(0, 1_000).split(/\s+/u).join(' ');
  const exact = [ON_A_DATE, IN_A_TIME, ON_A_DAY]
    .map((pattern) => pattern.exec(line))
    .filter((match) => match !== null)
    .sort((one, other) => one.index - other.index)[0];
  return (exact ?? AT_ONCE.exec(line))?.[0].trim() ?? null;
}
