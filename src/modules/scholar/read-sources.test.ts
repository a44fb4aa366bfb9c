import { pageRanges } from './cited-source';
import { readDoi, readIsbn } from './read-sources';
import { editionLabel } from './citation-text';

describe('readDoi', () => {
  it.each([
    ['10.1086/690235', '10.1086/690235'],
    ['https://doi.org/10.1086/690235', '10.1086/690235'],
    ['http://dx.doi.org/10.1000/182', '10.1000/182'],
    ['doi: 10.1002/(SICI)1096-8644(199601)99:1', '10.1002/(SICI)1096-8644(199601)99:1'],
    ['11.1086/690235', null],
    ['10.10/690235', null],
    ['10.1086', null],
    ['10.1086/', null],
    ['10.1086/a b', null],
    ['10.1086/{x}', null],
    ['https://a.example/10.1086/690235', null],
  ])('reads %j', (text, doi) => {
    expect(readDoi(text)).toBe(doi);
  });
});

describe('readIsbn', () => {
  it.each([
    ['978-0-306-40615-7', '978-0-306-40615-7'],
    ['ISBN 9780306406157', '9780306406157'],
    ['0-306-40615-2', '0-306-40615-2'],
    ['080442957X', '080442957X'],
    ['978-0-306-40615-8', null],
    ['0-306-40615-3', null],
    ['0804429570', null],
    ['977-0-306-40615-8', null],
    ['X804429570', null],
    ['12345', null],
  ])('reads %j', (text, isbn) => {
    expect(readIsbn(text)).toBe(isbn);
  });
});

describe('pageRanges', () => {
  it.each([
    ['3-10', '3–10', '3–10', '3–10'],
    ['96–117', '96–117', '96–117', '96–117'],
    ['100-104', '100–104', '100–04', '100–104'],
    ['107-108', '107–108', '107–08', '107–8'],
    ['321--328', '321–328', '321–28', '321–28'],
    ['321–8', '321–328', '321–28', '321–28'],
    ['395-401', '395–401', '395–401', '395–401'],
    ['808-833', '808–833', '808–33', '808–33'],
    ['1103-1104', '1103–1104', '1103–04', '1103–4'],
    ['1496-1500', '1496–1500', '1496–500', '1496–500'],
    ['12991-13001', '12991–13001', '12991–3001', '12991–3001'],
    ['923-1003', '923–1003', '923–1003', '923–1003'],
    ['xii-xv, 3', 'xii–xv, 3', 'xii–xv, 3', 'xii–xv, 3'],
    ['e12-e19', 'e12–e19', 'e12–e19', 'e12–e19'],
    ['A-12', 'A-12', 'A-12', 'A-12'],
    ['12', '12', '12', '12'],
  ])('writes %s in full, for MLA and for Chicago', (pages, full, mla, chicago) => {
    const forms = (['full', 'mla', 'chicago'] as const).map((form) => pageRanges(pages, form));
    expect(forms).toEqual([full, mla, chicago]);
  });
});

describe('editionLabel', () => {
  it.each([
    ['2', '2nd ed.'],
    ['3', '3rd ed.'],
    ['11', '11th ed.'],
    ['21', '21st ed.'],
    ['4th', '4th ed.'],
    ['2nd edition', '2nd ed.'],
    ['5th ed.', '5th ed.'],
    ['Revised', 'Revised ed.'],
  ])('labels %j', (edition, label) => {
    expect(editionLabel(edition)).toBe(label);
  });
});
