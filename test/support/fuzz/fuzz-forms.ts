import { formOf, type FormPart } from '../api/form';
import type { SeededRandom } from '../seeded-random';

const CONTENTS: (string | Buffer)[] = [
  'Invoice number: INV-2027-17\n\nBlue GmbH pays EUR 12,500.00 by 1 March 2027.\n',
  'a,b\n1,2\n"x,y',
  '# Title\n\nText.',
  '{"a":[1,2,{"b":null}]}',
  '<html><script>alert(1)</script><p>Text</p>',
  '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer<</Root 1 0 R>>',
  Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1'),
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff', 'latin1'),
  Buffer.from([0xff, 0xfe, 0x41, 0, 0, 0xd8]),
  Buffer.alloc(0),
  Buffer.alloc(300_000, 'word '),
  '\0\0\0',
];
const NAMES = [
  'a.txt',
  'a.md',
  'a.csv',
  'a.json',
  'a.html',
  'a.pdf',
  'a.docx',
  'a.png',
  'a',
  '',
  '../../x.txt',
  'é\u0301.txt',
  `${'n'.repeat(400)}.txt`,
  'a.txt\0.pdf',
  'a.exe',
];
const METADATA = [
  '{"title":"Minutes","type":"txt"}',
  '{}',
  '[]',
  '{',
  'null',
  '{"title":1}',
  '{"type":"pdf"}',
  '{"__proto__":1}',
  '{"title":"x","tags":["a","a"]}',
  '',
];

/** An upload: a good one with the mark in its file, or one that is wrong in its parts or its bytes. */
export function fuzzForm(
  random: SeededRandom,
  mark: string,
  isValid: boolean,
): { body: Buffer; headers: Record<string, string> } {
  const good = {
    name: 'file',
    value: `A letter of ${mark}.\n\n${String(CONTENTS[0])}`,
    fileName: 'letter.txt',
  };
  if (isValid) {
    return sent([good]);
  }
  const file = { name: 'file', value: random.pick(CONTENTS), fileName: random.pick(NAMES) };
  const metadata = { name: 'metadata', value: random.pick(METADATA) };
  const forms: FormPart[][] = [
    [file],
    [metadata, file],
    [file, metadata],
    [metadata],
    [],
    [file, file],
    [metadata, metadata, file],
    [{ ...file, name: random.pick(['', 'files', '__proto__', 'file[]']) }],
    [{ name: 'file', value: 'no file name' }],
    [
      ...Array.from({ length: random.pick([3, 60, 2_000]) }, (_, at) => ({ name: `n${at}`, value: 'x' })),
      file,
    ],
  ];
  const { body, headers } = sent(random.pick(forms));
  const kind = random.next();
  if (kind < 0.6) {
    return { body, headers };
  }
  if (kind < 0.75) {
    return { body: body.subarray(0, random.between(0, body.length)), headers };
  }
  if (kind < 0.9) {
    const types = [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=other',
      `multipart/form-data; boundary=${'b'.repeat(200)}`,
      'multipart/mixed; boundary=a-boundary-that-no-file-holds-7f3a',
    ];
    return { body, headers: { 'content-type': random.pick(types) } };
  }
  const broken = Buffer.from(body);
  if (broken.length > 0) {
    broken[random.between(0, broken.length - 1)] = random.between(0, 255);
  }
  return { body: broken, headers };
}

function sent(parts: FormPart[]): { body: Buffer; headers: Record<string, string> } {
  const { body, headers } = formOf(parts);
  return { body: body as Buffer, headers: headers ?? {} };
}
