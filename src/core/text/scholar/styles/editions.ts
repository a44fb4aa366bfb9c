/** `2` becomes `2nd ed.`, `Revised` becomes `Revised ed.`; what says so already stays. */
export function editionLabel(edition: string): string {
  if (/\bed(?:\.|ition\b)/iu.test(edition)) {
    return edition.replace(/\s+edition\b/iu, ' ed.');
  }
  return `${/^\d{1,4}$/.test(edition) ? ordinal(Number(edition)) : edition} ed.`;
}

function ordinal(number: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  return `${number}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)]}`;
}
