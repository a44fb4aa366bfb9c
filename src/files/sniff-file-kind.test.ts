import { processorMsBelow } from '../../test/support/processor-time';
import { EncryptedFile, FileContradictsName, UnreadableFile, UnsupportedFile } from './file-errors';
import { sniffFileKind } from './sniff-file-kind';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a46494600', 'hex');
const WEBP = Buffer.from('524946462400000057454250565038', 'hex');
const PDF = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n', 'latin1');

describe('sniffFileKind', () => {
  it.each<[string, Buffer, string | null]>([['nothing', Buffer.alloc(0), 'a.txt']])(
    'refuses %s as unreadable',
    (_, bytes, name) => {
      expect(() => sniff(bytes, name)).toThrow(UnreadableFile);
    },
  );

  it.each<[string, Buffer, string | null]>([
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'), 'a.gif'],
    ['a script that begins as a GIF', Buffer.from('GIF89a=1;/*\nalert(1)//*/'), 'a.txt'],
    ['a program', Buffer.from('MZ\x90\x00\x03\x00\x00\x00', 'latin1'), 'a.pdf'],
    ['an archive', zip('a.txt'), 'a.zip'],
    ['a spreadsheet', Buffer.concat([zip('[Content_Types].xml'), zip('xl/workbook.xml')]), 'a.xlsx'],
    ['an old Word document', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'a.doc'],
    ['RTF', Buffer.from('{\\rtf1 text}'), 'a.rtf'],
    ['bytes with NUL', Buffer.from('some\0text'), 'a.txt'],
    ['bytes with many controls', Buffer.from('\x01\x02\x03\x04text'), 'a.txt'],
    ['sound in a RIFF', Buffer.from('RIFF....WAVEfmt '), 'a.webp'],
  ])('refuses %s as unsupported', (_, bytes, name) => {
    expect(() => sniff(bytes, name)).toThrow(UnsupportedFile);
  });

  it('looks for a PDF within a text in little time, however many may begin there', async () => {
    const text = Buffer.from(`.${'%PDF-1'.repeat(340)}${'1'.repeat(1_000)} ${'1'.repeat(1_000)}`);
    expect(await processorMsBelow(100, () => sniff(text, 'a.txt'))).toBeLessThan(100);
    expect(sniff(text, 'a.txt')).toBe('txt');
  });

  it('refuses an encrypted Word document as such', () => {
    const head = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]);
    expect(() => sniff(head, 'a.docx')).toThrow(EncryptedFile);
  });

  it.each<[string, Buffer, string]>([
    ['a PNG called .jpg', PNG, 'a.jpg'],
    ['a PNG called .html', PNG, 'a.html'],
    ['a PDF called .docx', PDF, 'a.docx'],
    ['a text called .pdf', Buffer.from('hello'), 'a.pdf'],
    ['a text called .exe', Buffer.from('hello'), 'setup.exe'],
    ['a PNG called .exe', PNG, 'a.exe'],
    ['a page called .txt', Buffer.from(' <!DOCTYPE html><p>hello'), 'a.txt'],
    ['a page called .json', Buffer.from('<html><p>hello'), 'a.json'],
    ['words called .json', Buffer.from('hello'), 'a.json'],
    ['words called .html', Buffer.from('hello'), 'a.html'],
    ['an archive called .docx', zip('a.txt'), 'a.docx'],
    ['a PDF behind a line of text', Buffer.concat([Buffer.from('<!-- x -->\n'), PDF]), 'a.html'],
  ])('refuses %s, because it contradicts its name', (_, bytes, name) => {
    expect(() => sniff(bytes, name)).toThrow(FileContradictsName);
  });

  it.each<[string, Buffer, string | null]>([
    ['png', PNG, 'a.PNG'],
    ['png', PNG, null],
    ['jpeg', JPEG, 'a.jpg'],
    ['webp', WEBP, 'a.webp'],
    ['pdf', PDF, 'a.b.pdf'],
    ['pdf', Buffer.concat([Buffer.from('\r\n'), PDF]), 'a.pdf'],
    ['docx', Buffer.concat([zip('[Content_Types].xml'), zip('word/document.xml')]), 'a.docx'],
    ['docx', zip('[Content_Types].xml'), 'a.docx'],
    ['txt', Buffer.from('hello'), 'a.txt'],
    ['txt', Buffer.from('BMW builds cars, and MZ built motorcycles.'), null],
    ['txt', Buffer.from('MZ built motorcycles.'), null],
    ['txt', Buffer.from('\ufeffhello', 'utf16le'), 'a.txt'],
    ['txt', Buffer.from('hello'), 'no-extension'],
    ['txt', Buffer.from('A [note] about %PDF-1.7 files.'), 'a.txt'],
    ['md', Buffer.from('# hello\n<b>bold</b>'), 'README.md'],
    ['html', Buffer.from('<p>hello'), 'a.htm'],
    ['html', Buffer.from('<!-- saved --><html><body>hello'), null],
    ['csv', Buffer.from('a;b\n1;2'), 'a.csv'],
    ['json', Buffer.from('{"a": 1}'), 'a.json'],
    ['json', Buffer.from('[{"a": 1}]'), null],
  ])('calls it %s', (kind, bytes, name) => {
    expect(sniff(bytes, name)).toBe(kind);
  });

  it('takes a text whose head ends within a character', () => {
    const head = Buffer.from('ä'.repeat(40_000)).subarray(1, 65_536);
    expect(sniffFileKind(head, 80_000, 'a.txt')).toBe('txt');
  });
});

function sniff(bytes: Buffer, name: string | null): string {
  return sniffFileKind(bytes, bytes.length, name);
}

function zip(entry: string): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(entry.length, 26);
  return Buffer.concat([header, Buffer.from(entry)]);
}
