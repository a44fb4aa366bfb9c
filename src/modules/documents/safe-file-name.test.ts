import { processorMsBelow } from '../../../test/support/processor-time';
import { safeFileName } from './documents';

describe('safeFileName', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system32\\cmd.exe', 'cmd.exe'],
    ['..', 'file'],
    ['', 'file'],
    ['\0\r\n', 'file'],
    ['a\r\nSet-Cookie: x=1.pdf', 'aSet-Cookie_ x=1.pdf'],
    ['.htaccess', 'htaccess'],
    ['report\u202efdp.exe', 'reportfdp.exe'],
    ['a\ud800b.txt', 'ab.txt'],
    ['"quoted".txt', '_quoted_.txt'],
    ['Übersicht 2026.pdf', 'Übersicht 2026.pdf'],
    ['e\u0301.txt', 'é.txt'],
    ['trailing. . ', 'trailing'],
  ])('makes %j to %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it('reads a long row of points and spaces within a name once', async () => {
    const row = '. '.repeat(30_000);
    expect(await processorMsBelow(4_000, () => safeFileName(`a${row}b`))).toBeLessThan(4_000);
  });

  it('cuts a name of 4 KB to 200 bytes, keeps its extension, and cuts no character in two', () => {
    const safe = safeFileName(`${'ü'.repeat(2_048)}.docx`);
    expect(Buffer.byteLength(safe)).toBe(199);
    expect(safe).toMatch(/^ü+\.docx$/);
    expect(Buffer.byteLength(safeFileName('a'.repeat(4_096)))).toBe(200);
    expect(Buffer.byteLength(safeFileName(`a.${'b'.repeat(4_096)}`))).toBe(200);
  });
});
