/** ISO 26324: a prefix of `10.` and a registrant, a slash, and whatever the registrant likes. */
const DOI = /^10\.\d{4,9}(?:\.\d+)*\/[^\s"<>{}\\^`|]{1,300}$/u;
const DOI_LEAD = /^(?:https?:\/\/(?:dx\.|www\.)?doi\.org\/|doi:\s*)/iu;

/** A DOI without its resolver or `doi:`; null for what has not the form of one. */
export function readDoi(text: string): string | null {
  const doi = text.trim().replace(DOI_LEAD, '');
  return DOI.test(doi) ? doi : null;
}

/** An ISBN of 10 or 13 digits as given, without a leading `ISBN`; null where it has not that form or its check digit is wrong. */
export function readIsbn(text: string): string | null {
  const isbn = text.trim().replace(/^ISBN(?:-1[03])?:?\s*/iu, '');
  const digits = isbn.replace(/[-\s‐–]/gu, '').toUpperCase();
  return (/^\d{9}[\dX]$/.test(digits) && hasCheckOf10(digits)) ||
    (/^97[89]\d{10}$/.test(digits) && hasCheckOf13(digits))
    ? isbn
    : null;
}

/** ISO 2108: the digits weigh 10 to 1, X counts ten, and the sum is a multiple of 11. */
function hasCheckOf10(digits: string): boolean {
  const sum = [...digits].reduce(
    (total, digit, index) => total + (10 - index) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

/** The digits weigh 1 and 3 in turn, and the sum is a multiple of 10. */
function hasCheckOf13(digits: string): boolean {
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return sum % 10 === 0;
}
