import { FileReaders } from '../../src/files/file-readers';
import { pdfAsRead, pdfCases, tableCases, textAsRead } from './file-cases';

describe('a file is read as its reader takes it up', () => {
  const files = new FileReaders({ deadlineMs: 60_000 });
  afterAll(() => files.onApplicationShutdown());

  it.each(pdfCases)('PDF: $kind, $file', async (expected) => {
    expect(await pdfAsRead(files, expected)).toEqual(expected);
  });

  it.each(tableCases)('table: $id', async (expected) => {
    expect(await textAsRead(files, expected)).toEqual(expected);
  });
});
