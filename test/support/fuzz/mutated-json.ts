import { isObject, type Json } from '../../../scripts/generate/json';
import type { SeededRandom } from '../seeded-random';

/** Texts that stand in the place of a value: of another type, at the ends of numbers and of Unicode, and no JSON at all. */
const REPLACEMENTS = [
  ...['null', 'true', 'false', '0', '1', '-1', '""', '[]', '{}', '[[]]', '[{}]', '[null]', '{"a":1}'],
  ...['-0', '1e400', '-1e400', '1e-400', '9007199254740993', '-9223372036854775809', '0.1e1', '1e2'],
  '123456789012345678901234567890.000000000000000000000000000001',
  ...[
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"a\\u0000b"',
    '"\\u202e\\ufeff\\u0301"',
    '"\\uffff"',
    '"ﷺ"',
    '" "',
    '"\\n"',
  ],
  ...['"../../etc/passwd"', '"\'; DROP TABLE calls; --"', '"%00"', '"${7*7}"', '"<script>"', '"__proto__"'],
  ...[
    '{"__proto__":{"role":"admin"}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"then":1}',
    '{"toJSON":1}',
  ],
  ...['{"a":1,"a":2}', '{"":null}', `"${'z'.repeat(5_000)}"`, `"${'😀'.repeat(1_500)}"`],
  ...[
    nested(20),
    nested(70),
    nested(2_000),
    `[${'0,'.repeat(2_000)}0]`,
    `{${'"a":{'.repeat(90)}${'}'.repeat(91)}`,
  ],
  ...['NaN', 'Infinity', 'undefined', '01', '+1', '.5', '1.', "'x'", '"\n"', '"\\x41"', '/**/1', '1,', ''],
];
const LONG = `"${'long '.repeat(90_000)}"`;
const LONG_ONE_OF = 400;
const ADDED = [
  '"no-field":1',
  '"__proto__":{"x":1}',
  '"constructor":null',
  '"":""',
  '"toString":[]',
  '"id":"x"',
];
const BROKEN_ONE_OF = 25;

type Change = (text: string, value: Json) => string;

/** A value as JSON with one thing wrong somewhere in it, or in its bytes. */
export function mutatedJson(value: Json, random: SeededRandom): Buffer {
  const places = count(value);
  const bytes = Buffer.from(written(value, { left: random.between(0, places - 1) }, changeBy(random)));
  if (random.between(1, BROKEN_ONE_OF) === 1 && bytes.length > 0) {
    bytes[random.between(0, bytes.length - 1)] = random.pick([0xff, 0xc0, 0x00, 0x22, 0x7b]);
  }
  return bytes;
}

function changeBy(random: SeededRandom): Change {
  return (text, value) => {
    if (random.between(1, LONG_ONE_OF) === 1) {
      return LONG;
    }
    const own = ofItself(text, value, random);
    return own.length > 0 && random.next() < 0.5 ? random.pick(own) : random.pick(REPLACEMENTS);
  };
}

/** What is near to the value that stands there. */
function ofItself(text: string, value: Json, random: SeededRandom): string[] {
  if (typeof value === 'number') {
    const near = [value + 1, value - 1, -value, value * 1e6, value + 0.5, value * 1e-9, value + 1e-12];
    return [...near.map(String), `"${value}"`, `[${value}]`];
  }
  if (typeof value === 'string') {
    const near = [
      value + value,
      value.toUpperCase(),
      ` ${value}`,
      `${value}\0`,
      value.slice(1),
      `${value}\u0301`,
    ];
    return [...near.map((each) => JSON.stringify(each)), `[${text}]`, `{"0":${text}}`];
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => JSON.stringify(item));
    const many = Array.from({ length: random.pick([2, 11, 101, 1_001]) }, () => items[0] ?? '0');
    return [`[${many.join(',')}]`, `[${items.slice(1).join(',')}]`, `[${text}]`];
  }
  return isObject(value) ? ofMembers(Object.entries(value), random) : [];
}

/** Objects that lack a member, have one more, or one twice. */
function ofMembers(members: [string, Json][], random: SeededRandom): string[] {
  const texts = members.map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`);
  const lacking = texts.filter((_, index) => index !== Math.floor(random.next() * texts.length));
  const twice = texts.length === 0 ? '"a":1' : random.pick(texts);
  return [
    lacking,
    [...texts, random.pick(ADDED)],
    [...texts, twice],
    [twice.replace(/:.*$/s, ':null'), ...texts],
  ].map((all) => `{${all.join(',')}}`);
}

/** How many values there are in a value, itself included. */
function count(value: Json): number {
  const members = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return members.reduce<number>((sum, member) => sum + count(member), 1);
}

/** The value as JSON, but for the place that is reached when none is left to pass by. */
function written(value: Json, passing: { left: number }, change: Change): string {
  if (passing.left === 0) {
    passing.left -= 1;
    return change(JSON.stringify(value), value);
  }
  passing.left -= 1;
  if (Array.isArray(value)) {
    return `[${value.map((item) => written(item, passing, change)).join(',')}]`;
  }
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${JSON.stringify(name)}:${written(member, passing, change)}`,
    );
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}
