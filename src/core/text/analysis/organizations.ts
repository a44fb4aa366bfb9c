import type { Entity } from './entity';
import { placeOf, type Place } from './places';

/** Legal forms, which stand behind a name. */
const FORMS = [
  ...[
    'Inc',
    'Incorporated',
    'LLC',
    'L\\.L\\.C',
    'Ltd',
    'Limited',
    'LLP',
    'L\\.P',
    'LP',
    'PLC',
    'plc',
    'Corp',
    'Corporation',
  ],
  ...[
    'Co',
    'Company',
    'GmbH(?: & Co\\. KGaA| & Co\\. KG)?',
    'gGmbH',
    'AG',
    'SE',
    'KGaA',
    'KG',
    'OHG',
    'e\\.V',
    'UG',
    'eG',
    'S\\.A',
    'SA',
    'SARL',
    'SAS',
  ],
  ...[
    'S\\.p\\.A',
    'SpA',
    'S\\.r\\.l',
    'Srl',
    'B\\.V',
    'BV',
    'N\\.V',
    'NV',
    'Oy',
    'AB',
    'A/S',
    'ApS',
    'AS',
    'Pty Ltd',
    'Pte Ltd',
    'Pvt\\. Ltd',
    'S\\.L',
  ],
];
/** Words at whose end an organisation's name ends too. */
const KINDS =
  'Foundation|Association|University|Institute|Hospital|Museum|Orchestra|Bank|Ministry|Commission|Committee|Council|Agency|Authority|Society|Academy|Federation|Union|Partners|Holdings|Industries|Technologies|Laboratories|Pharmaceuticals|Airlines|Systems|Solutions|Ventures|Logistics|Consulting|Energy|Stiftung|Universität|Verlag';
const WORD = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'’&.\-]{0,30}`;
const GAP = '[ \\u00a0]';
const NAME = `${WORD}(?:${GAP}(?:&${GAP})?${WORD}){0,5}`;
const WITH_FORM = new RegExp(
  `(?<![\\p{L}\\p{N}&.'’-])${NAME}?(?:,)?${GAP}(?:${FORMS.sort((one, other) => other.length - one.length).join('|')})(?![\\p{L}\\p{N}])(?:\\.(?=[\\s,;)]|$))?`,
  'gu',
);
const WITH_KIND = new RegExp(
  `(?<![\\p{L}\\p{N}&.'’-])${WORD}(?:${GAP}(?:(?:&|of)${GAP})?${WORD}){0,4}${GAP}(?:${KINDS})(?![\\p{L}\\p{N}])`,
  'gu',
);
const OF_SOMETHING = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:University|Bank|Ministry|Department|Institute|College|Board|Chamber|Bureau|Office|Museum|Court|Universität|Université|Universidad)${GAP}(?:of|de|der|für)${GAP}(?:the${GAP})?${WORD}(?:${GAP}(?:and${GAP})?${WORD}){0,3}`,
  'gu',
);
/** Words that begin a sentence and no name. */
const LEADING =
  /^(?:(?:The|A|An|This|That|These|Those|Our|Your|Their|His|Her|Its|When|While|If|As|At|In|On|By|For|From|To|With|And|But|Or|Since|After|Before|Under|Between|Both|Each|Today|Yesterday|Meanwhile|However|Of|Per|Dear|Der|Die|Das|Bei|Von|Mit|Zwischen|Le|La|Les|El)[ \u00a0])+/u;
const NAMES_SEARCHED_MAX = 200;
const COMMON = new Set(
  'The Our Your Their This That Each Every Any Limited Public Private Holding Parent Insurance'.split(' '),
);

/** Organisations: names with a legal form or a word such as "University", and these names again without their legal form. */
export function organizationsIn(text: string): Entity[] {
  const formed = [...text.matchAll(WITH_FORM)].flatMap((match) => named(placeOf(match)));
  const kinds = [...text.matchAll(OF_SOMETHING), ...text.matchAll(WITH_KIND)].flatMap((match) =>
    named(placeOf(match)),
  );
  const found = [...formed, ...kinds].sort((one, other) => other.text.length - one.text.length);
  return [...found, ...repeated(text, formed)].map((place) => ({
    type: 'organization',
    ...place,
    value: null,
  }));
}

/** The name without what only begins its sentence, or ends the one before; none where nothing but the form is left. */
function named(found: Place): Place[] {
  const leading = LEADING.exec(found.text)?.[0].length ?? 0;
  const inner = [...found.text.slice(0, -1).matchAll(/[^ \u00a0]{3,}\.[ \u00a0]/gu)].filter(
    ([word]) => !/\.\p{Lu}|^St\./u.test(word),
  );
  const ended = inner.at(-1);
  const from = Math.max(leading, ended ? ended.index + ended[0].length : 0);
  const text = found.text.slice(from).replace(/^[\s,&.]+/u, '');
  const start = found.end - text.length;
  const words = text.split(/[ \u00a0]/u);
  return words.length > 1 && !COMMON.has(words[0] ?? '') ? [{ text, start, end: found.end }] : [];
}

/** Where a name stands again without its legal form: "Acme" after "Acme Inc." */
function repeated(text: string, formed: readonly Place[]): Place[] {
  const names = new Set(
    formed.map((place) => baseName(place.text)).filter((name) => /^\p{Lu}[\p{L}\p{N}]{2}/u.test(name)),
  );
  return [...names].slice(0, NAMES_SEARCHED_MAX).flatMap((name) => placesOf(text, name));
}

function baseName(name: string): string {
  const words = name.replace(/,/gu, '').split(/[ \u00a0]/u);
  const form = words.findIndex((word, index) => index > 0 && FORM_WORD.test(word));
  return words.slice(0, form === -1 ? words.length : form).join(' ');
}

const FORM_WORD = new RegExp(`^(?:${FORMS.map((form) => form.split(/[( ]/u)[0]).join('|')})\\.?$`, 'u');

function placesOf(text: string, name: string): Place[] {
  const places: Place[] = [];
  for (let start = text.indexOf(name); start !== -1; start = text.indexOf(name, start + name.length)) {
    const end = start + name.length;
    const isWhole =
      !/[\p{L}\p{N}@.\-]/u.test(text[start - 1] ?? ' ') && !/[\p{L}\p{N}@]/u.test(text[end] ?? ' ');
    const continues = /^[ \u00a0]\p{Lu}\p{Ll}/u.test(text.slice(end, end + 3));
    if (isWhole && !continues) {
      places.push({ text: name, start, end });
    }
  }
  return places;
}
