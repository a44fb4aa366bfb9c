/** How the last page of a range is written: all its digits, or as few as MLA or Chicago want. */
export type PageForm = 'full' | 'mla' | 'chicago';

const RANGE = /^(\S{1,20}?)\s*(?:-{1,3}|[‐‑–—−])\s*(\S{1,20})$/u;
const PAGE = /\d|^[ivxlcdm]+$/iu;

/** Pages with en dashes between the first and the last. What is no range stays as it is. */
export function pageRanges(pages: string, form: PageForm): string {
  return pages
    .split(/\s*[,;]\s*/u)
    .map((range) => pageRange(range, form))
    .join(', ');
}

/** `p.` or `pp.`, for pages as pageRanges writes them. */
export function pageLabel(pages: string): string {
  return /[–,]/u.test(pages) ? 'pp.' : 'p.';
}

function pageRange(range: string, form: PageForm): string {
  const [, first = '', last = ''] = RANGE.exec(range) ?? [];
  if (!PAGE.test(first) || !PAGE.test(last)) {
    return range;
  }
  if (!/^\d+$/.test(first) || !/^\d+$/.test(last)) {
    return `${first}–${last}`;
  }
  const whole = last.length < first.length ? first.slice(0, first.length - last.length) + last : last;
  return `${first}–${form === 'full' ? whole : shortened(first, whole, form)}`;
}

/** MLA Handbook 5.87 and the Chicago Manual 9.61. */
function shortened(first: string, last: string, form: 'mla' | 'chicago'): string {
  const number = Number(first);
  if (first.length !== last.length || number < 100 || (form === 'chicago' && number % 100 === 0)) {
    return last;
  }
  const same = [...first].findIndex((digit, index) => digit !== last[index]);
  const changed = same === -1 ? 1 : last.length - same;
  const digitsMin = form === 'chicago' && number % 100 < 10 ? 1 : 2;
  return last.slice(-Math.max(changed, digitsMin));
}
