import { type Entity, matchesIn, type Place, placeOf } from './places';

const NAMES = `Aaron Abdul Abdullah Abigail Adam Adrian Agnes Ahmed Aisha Akira Alan Albert Alejandro Alessandro Alex Alexander Alexandra Alfred Ali
  Alice Alicia Alison Amanda Amara Amelia Amina Amir Amit Amy Ana Anders Andrea Andreas Andrés Andrew Angela Anil Anita Anja Anke Ann
  Anna Anne Annette Anthony Antje Anton Antonio Arjun Arthur Astrid Ava Axel Barbara Beatrice Ben Benjamin Bernard Bernd Beth Betty
  Bianca Bill Birgit Björn Bob Brandon Brenda Brian Bruce Bruno Camille Carl Carla Carlos Carmen Carol Caroline Catherine Cecilia
  Charles Chen Chiara Chloe Chris Christian Christina Christine Christoph Christopher Claire Clara Claudia Cynthia Daniel Daniela Daniele
  David Deborah Denise Dennis Diana Diego Dieter Dimitri Dirk Dmitri Dominik Donald Donna Dorothy Douglas Edith Eduardo Edward Elena Eleanor
  Elias Elisabeth Elizabeth Ella Ellen Emily Emma Eric Erik Erika Ernst Esther Ethan Eva Evelyn Fabian Farid Fatima Felix Fernando Finn
  Fiona Frances Francesca Francesco Francis Francisco Frank Franz Fred Frederic Frederik Friedrich Gabriel Gabriela Gary Georg George
  Gerald Gerhard Giorgio Giovanni Giulia Gloria Grace Greg Gregory Greta Gunter Gustav Hanna Hannah Hans Harald Harold Harry Hassan
  Heather Heidi Heike Heinz Helen Helena Helga Henri Henrik Henry Herbert Hiroshi Holger Hugo Ian Ibrahim Igor Ines Ingrid Irene Isaac
  Isabel Isabella Ivan Jack Jacob Jacques Jakob James Jan Jane Janet Janine Jason Javier Jean Jeffrey Jennifer Jens Jeremy Jessica Jill Jim Joan
  Joachim Joanna João Joe Joel Johan Johann Johanna Johannes John Jonas Jonathan Jordi Jorge José Josef Joseph Joshua Joyce Juan Judith
  Julia Julian Julie Jürgen Justin Kai Karen Karin Karl Karsten Katarina Katharina Katherine Kathleen Katja Katrin Keith Kelly Ken
  Kenneth Kenji Kerstin Kevin Kim Klaus Kristin Kurt Kyle Lars Laura Lauren Laurent Lena Leo Leon Leonard Leonardo Leonie Liam Lily Linda Lisa
  Logan Louis Louise Luca Lucas Lucia Lucy Luis Luisa Lukas Magdalena Manuel Manuela Marc Marcel Marco Marcus Margaret Maria María Marie Marina Mario Marion
  Mark Markus Marta Martha Martin Martina Mary Mateo Matteo Matthew Matthias Maya Megan Mehmet Melanie Melissa Michael Michaela Michel Michelle
  Miguel Mike Mila Mohamed Mohammed Monica Monika Muhammad Nadia Nadine Naomi Natalie Natasha Nathan Neil Nicholas Nicola Nicolas
  Nicole Niklas Nikolai Nils Nina Noah Nora Olaf Oleg Olga Oliver Olivia Omar Oscar Oskar Pablo Pamela Patricia Patrick Paul Paula Pauline Pedro Peter Petra
  Philip Philipp Philippe Pierre Pilar Priya Rachel Rafael Rainer Raj Rajesh Ralf Ralph Ramón Raphael Raúl Ravi Raymond Rebecca Renate Ricardo Richard
  Rita Robert Roberto Robin Roger Roland Rolf Ronald Rosa Rosalind Ruth Ryan Sabine Sabrina Samantha Samuel Sandra Sanjay Sara Sarah Scott
  Sebastian Sergei Sergio Sharon Silke Silvia Simon Simone Sofie Sonia Sophia Sophie Stefan Stefanie Stella Stephan Stephanie
  Stephen Steve Steven Sunita Susan Susanne Sven Svetlana Sylvia Takashi Tamara Tanja Tatiana Ted Teresa Theo Theresa Thomas Thorsten Tim Timothy Tina
  Tobias Todd Tom Tomás Tony Tracy Uwe Ulrich Ursula Valentina Vanessa Vera Veronica Viktor Vikram Vincent Vladimir Walter Wei Wendy Werner
  Wilhelm William Wolfgang Xavier Yasmin Yuki Yuri Yusuf Yvonne Zoe`;

const FIRST_NAMES: ReadonlySet<string> = new Set(NAMES.split(/\s+/u));

const NOT_SURNAMES = `The A An And Or But In On At Of For With To From By As Is Was Will Has Had January February March April May June July August September
  October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday Street Avenue Road Drive Beach Canyon Creek Falls
  Fountain Garden Gardens Harbor Harbour Springs Stadium Valley Village Zoo School College University
  Hospital Church County City Airport Island River Lake Bridge Park Square House Hotel Award Prize Project Team Group Act Law Day
  Night Inc Ltd LLC Corp Company GmbH AG Foundation Institute Center Centre Museum Theatre Theater Station Court Agreement Article
  Section Committee Department University Bank Fund Period Payment Press News Times Today Said Says New North South East West Und Der Die Das Et Le La Y El`;
const NOT_SURNAME_WORDS: ReadonlySet<string> = new Set(NOT_SURNAMES.split(/\s+/u));

/** "Dr. Susan Park". */
const SURNAMES_TOO: ReadonlySet<string> = new Set(
  'Park Church Lake House Law Beach Garden Valley Day March May North West'.split(' '),
);

const WORDS_TOO: ReadonlySet<string> = new Set(
  'Adam Ana Ava Axel Ben Bill Carol Chris Finn Frank Grace Ian Ines Jack Jan Jean Joe Joy Kai Ken Lily Mark Mike Mila Pilar Raj Robin Rosa Ruth Ted Tim Tom Tony Vera Wei Will'.split(
    ' ',
  ),
);

const FORMS =
  String.raw`Inc;Incorporated;LLC;L\.L\.C;Ltd;Limited;LLP;L\.P;LP;PLC;plc;Corp;Corporation;Co;Company;
  GmbH(?: & Co\. KGaA| & Co\. KG)?;gGmbH;AG;SE;KGaA;KG;OHG;e\.V;UG;eG;S\.A;SA;SARL;SAS;S\.p\.A;SpA;S\.r\.l;
  Srl;B\.V;BV;N\.V;NV;Oy;AB;A/S;ApS;AS;A\.Ş;Ltd\. Şti;Sp\. z o\.o;s\.r\.o;d\.o\.o;Kft;Zrt;Pty Ltd;Pte Ltd;Pvt\. Ltd;S\.L`.split(
    /;\s*/u,
  );
const KINDS =
  'Foundation|Association|University|Institute|Hospital|Museum|Orchestra|Bank|Ministry|Commission|Committee|Council|Agency|Authority|Society|Academy|Federation|Union|Partners|Holdings|Industries|Technologies|Laboratories|Pharmaceuticals|Airlines|Systems|Solutions|Ventures|Logistics|Consulting|Energy|Stiftung|Universität|Verlag';
const WORD = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'’&.\-]{0,30}`;
const GAP = '[ \\u00a0]';
/** A full stop after three letters ends a sentence, and a name with it. */
const NAME_GAP = `(?<![\\p{L}\\p{N}]{3}\\.)${GAP}`;
const NAME = `${WORD}(?:${NAME_GAP}(?:&${GAP})?${WORD}){0,5}`;
const WITH_FORM = new RegExp(
  `(?<![\\p{L}\\p{N}&.'’-])${NAME}?(?:,)?${NAME_GAP}(?:${FORMS.sort((one, other) => other.length - one.length).join('|')})(?![\\p{L}\\p{N}])(?:(?<=Inc|Ltd|Corp|Co|\\.\\p{L})\\.(?=[\\s,;)]|$))?`,
  'gu',
);
const WITH_KIND = new RegExp(
  `(?<![\\p{L}\\p{N}&.'’-])${WORD}(?:${NAME_GAP}(?:(?:&|of)${GAP})?${WORD}){0,4}${NAME_GAP}(?:${KINDS})(?:${GAP}(?:Group|Trust))?(?![\\p{L}\\p{N}])`,
  'gu',
);
/** In Ukrainian and Russian the legal form stands before a name in quotation marks. */
const FORM_FIRST =
  /(?<![\p{L}\p{N}])(?:ТОВ|ТзОВ|ПАТ|ПрАТ|АТ|ФОП|ООО|ОАО|ЗАО|ПАО|АО) (?:«[^«»\n]{2,80}»|"[^"\n]{2,80}"|“[^“”\n]{2,80}”|„[^„“”\n]{2,80}[“”])/gu;
const OFFICES =
  '(?:University|Bank|Ministry|Department|Institute|College|Board|Chamber|Bureau|Office|Museum|Court|Universität|Université|Universidad)';
const OF_SOMETHING = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${OFFICES}${GAP}(?:of|de|der|für)${GAP}(?:the${GAP})?${WORD}(?:${NAME_GAP}(?:and${GAP}(?!${OFFICES}${GAP}of))?${WORD}){0,3}(?:(?<![\p{L}\p{N}]{3}\.)|(?<=(?:Inc|Ltd|Corp)\.))`,
  'gu',
);
const LEADING =
  /^(?:(?:The|A|An|This|That|These|Those|Our|Your|Their|His|Her|Its|When|While|If|As|At|In|On|By|For|From|To|With|And|But|Or|Since|After|Before|Under|Between|Both|Each|Today|Yesterday|Meanwhile|However|Of|Per|Dear|Der|Die|Das|Bei|Von|Mit|Zwischen|Le|La|Les|El)[ \u00a0])+/u;
const NAMES_SEARCHED_MAX = 200;
const COMMON = new Set(
  'The Our Your Their This That Each Every Any Limited Public Private Holding Parent Insurance'.split(' '),
);

function organizationsIn(text: string): Entity[] {
  const formed = matchesIn(text, WITH_FORM).flatMap((match) => named(placeOf(match)));
  const kinds = [...matchesIn(text, OF_SOMETHING), ...matchesIn(text, WITH_KIND)].flatMap((match) =>
    named(placeOf(match)),
  );
  const found = [...formed, ...kinds, ...matchesIn(text, FORM_FIRST).map(placeOf)].sort(
    (one, other) => other.text.length - one.text.length,
  );
  return [...found, ...repeated(text, formed)].map((place) => ({
    type: 'organization',
    ...place,
    value: null,
  }));
}

function named(found: Place): Place[] {
  const text = found.text.replace(LEADING, '').replace(/^[\s,&.]+/u, '');
  const start = found.end - text.length;
  const words = text.split(/[ \u00a0]/u);
  return words.length > 1 && !COMMON.has(words[0] ?? '') ? [{ text, start, end: found.end }] : [];
}

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

const TITLES =
  'Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Dame|Lord|Lady|Judge|Justice|Senator|Hon|Rev|Capt|Captain|Herr|Herrn|Frau|Kollege|Kollegin|Monsieur|Madame|Señor|Señora|Don|Doña';
const DEGREES = 'med|dent|vet|phil|theol|jur|iur|rer|nat|pol|oec|publ|ing|habil|h|c';
const SURNAME = String.raw`\p{Lu}(?:['’]\p{Lu})?[\p{L}\p{M}]{1,24}(?:(?!['’]s(?!\p{L}))['’\-]\p{Lu}?[\p{L}\p{M}]{1,24}){0,2}`;
const INITIAL = String.raw`\p{Lu}\.(?:[ ]?\p{Lu}\.){0,2}`;
const PARTICLE =
  '(?:van der|van den|van de|van|von der|von|de la|de|del|da|dos|du|di|bin|ibn|al|el|le|la|zu|ter)';
const TITLED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:${TITLES})\\.?${GAP}(?:(?:${DEGREES})\\.${GAP}?){0,3}){1,4}(?<name>(?!(?:${TITLES})\\.)(?:(?:${INITIAL}|${SURNAME})${GAP}(?:${PARTICLE}${GAP})?){0,3}${SURNAME})`,
  'gu',
);
/** "San Diego Padres" does not name a Diego. */
const PLACED = `(?<!(?<!\\p{L})(?:San|Santa|Saint|St\\.?|Lake|Mount|Mt\\.?|Port|Cape|Fort)${GAP})`;
const RUN = new RegExp(
  `(?<![\\p{L}\\p{N}'’-])${PLACED}(?<first>\\p{Lu}[\\p{L}\\p{M}]{1,20}(?:-\\p{Lu}[\\p{L}\\p{M}]{1,20})?)(?:${GAP}(?:${INITIAL}|${SURNAME})){0,2}?${GAP}(?:${PARTICLE}${GAP})?(?<last>${SURNAME})(?![\\p{L}\\p{N}])`,
  'gu',
);
const LABELLED =
  /^[ \t>*#\-]{0,8}(?:\*\*)?(?:attendees|present|participants|authors?|from|cc|contact|contact person|media contact|press contact|signed by|signed|speakers?|tenant|landlord|employee|employer|owner|chair|chairperson|minutes|facilitator|apologies|absent|teilnehmer|anwesend|verfasser|ansprechpartner)(?:\*\*)?[ \t]{0,3}:(?:\*\*)?[ \t]{1,4}(?<list>[^\n]{1,600})$/gimu;
const WHOLE_NAME = new RegExp(
  `^(?:${SURNAME}|${INITIAL})(?:${GAP}(?:${PARTICLE}${GAP})?(?:${INITIAL}|${SURNAME})){1,3}$`,
  'u',
);

const SIGNED =
  /^[ \t]{0,8}(?:yours|(?:kind|best|warm) regards|regards|sincerely|respectfully|with best wishes|mit (?:freundlichen|besten|herzlichen) grüßen|hochachtungsvoll|viele grüße|cordialement|bien à vous|atentamente|un cordial saludo|cordiali saluti|distinti saluti|met vriendelijke groet)[^\n]{0,30}\r?\n(?:[ \t]{0,8}\r?\n){0,4}[ \t]{0,8}(?<name>[^\n]{3,60}?)[ \t,]{0,8}$/gimu;

const FURTHER = new RegExp(`^${GAP}(?:${PARTICLE}${GAP})?(?<last>${SURNAME})(?![\\p{L}\\p{N}])`, 'u');
const FURTHER_MAX = 3;
const NAME_PART_LENGTH_MAX = 100;
const SPANISH_SURNAME = /(?:[aeiouáéíóú]z|[áéíóúñ]\p{L}{0,3})$/u;

/** Organisations win where both claim the same words. */
export function namesIn(text: string): Entity[] {
  const persons = [...titled(text), ...firstNames(text), ...listed(text), ...signed(text)];
  return [
    ...organizationsIn(text),
    ...persons.map((place) => ({ type: 'person' as const, ...place, value: null })),
  ];
}

function titled(text: string): Place[] {
  return matchesIn(text, TITLED).map((match) => {
    const words = (match.groups?.['name'] ?? '').split(/[ \u00a0]/u);
    // "Mr. Lee In" at the end of a line: function words end the name.
    const isFull = FIRST_NAMES.has(words[0] ?? '') && SURNAMES_TOO.has(words[1] ?? '');
    const stop = words.findIndex((word, index) => index > (isFull ? 1 : 0) && NOT_SURNAME_WORDS.has(word));
    const name = words.slice(0, stop === -1 ? words.length : stop).join(' ');
    const start = match.index + match[0].length - (match.groups?.['name']?.length ?? 0);
    return { text: name, start, end: start + name.length };
  });
}

function firstNames(text: string): Place[] {
  const found: Place[] = [];
  RUN.lastIndex = 0;
  for (let match = RUN.exec(text); match; match = RUN.exec(text)) {
    const { first = '', last = '' } = match.groups ?? {};
    const isKnown = FIRST_NAMES.has(first.split('-')[0] ?? '');
    const start = match.index;
    const isSet = isInCapitals(first, last, text.slice(Math.max(0, start - 3), RUN.lastIndex + 3));
    if (isSet || (isKnown && isSurname(last))) {
      const end = isSet ? RUN.lastIndex : endOfFullName(text, RUN.lastIndex, last);
      found.push({ text: text.slice(start, end), start, end });
      RUN.lastIndex = end;
    } else {
      // The next word may be a first name: "When Anna Becker".
      RUN.lastIndex = match.index + first.length;
    }
  }
  return found;
}

/** "JOHN SMITH signed", but neither headings in capitals nor "GRACE PERIOD". */
function isInCapitals(first: string, last: string, around: string): boolean {
  const inTitleCase = (word: string) => word.charAt(0) + word.slice(1).toLowerCase();
  const given = inTitleCase(first);
  return (
    first === first.toUpperCase() &&
    last === last.toUpperCase() &&
    last.length > 2 &&
    FIRST_NAMES.has(given) &&
    !WORDS_TOO.has(given) &&
    !NOT_SURNAME_WORDS.has(inTitleCase(last)) &&
    !/^\p{Lu}{2} |[-&/]| \p{Lu}{2}$/u.test(around)
  );
}

function isSurname(word: string): boolean {
  return !NOT_SURNAME_WORDS.has(word) && word !== word.toUpperCase();
}

function endOfFullName(text: string, endOfStart: number, lastOfStart: string): number {
  let [end, last] = [endOfStart, lastOfStart];
  for (let count = 0; count < FURTHER_MAX; count += 1) {
    const further = FURTHER.exec(text.slice(end, end + NAME_PART_LENGTH_MAX));
    const next = further?.groups?.['last'] ?? '';
    const isSecond = [last, next].every((word) => SPANISH_SURNAME.test(word));
    if (!further || !isSurname(next) || !(FIRST_NAMES.has(last) || isSecond)) {
      break;
    }
    end += further[0].length;
    last = next;
  }
  return end;
}

function signed(text: string): Place[] {
  return matchesIn(text, SIGNED).flatMap((match) => {
    const name = (match.groups?.['name'] ?? '').trim();
    const start = match.index + match[0].lastIndexOf(name);
    const isName = WHOLE_NAME.test(name) && !name.split(' ').some((word) => NOT_SURNAME_WORDS.has(word));
    return isName ? [{ text: name, start, end: start + name.length }] : [];
  });
}

function listed(text: string): Place[] {
  return matchesIn(text, LABELLED).flatMap((match) => {
    const list = match.groups?.['list'] ?? '';
    const from = match.index + match[0].length - list.length;
    const places: Place[] = [];
    let offset = 0;
    for (const part of list.split(/(?<=[,;])|(?= [(<])|(?= and | & | und )/u)) {
      const name = part.replace(/^(?: and | & | und |\s)+/u, '').replace(/[,;.\s]+$/u, '');
      const start = from + offset + part.indexOf(name);
      offset += part.length;
      if (WHOLE_NAME.test(name) && !name.split(' ').some((word) => NOT_SURNAME_WORDS.has(word))) {
        places.push({ text: name, start, end: start + name.length });
      }
    }
    return places;
  });
}
